// The job's request, the facts about it, and its result.
import type { ComponentChildren } from 'preact';
import { api } from '../api';
import { what_became } from '../deleted_files';
import { bytes, clock, duration } from '../format';
import { useLoad } from '../hooks';
import { pictures_of } from '../images';
import { Ago } from '../parts/small';
import { Address, Prose } from '../parts/text';
import type { Job, Json, User } from '../types';
import { owner_name } from '../who';
import { JobPictures } from './job_pictures';

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Facts({ job, user }: { job: Job; user: User }) {
  const took =
    job.started_at && job.ended_at
      ? (Date.parse(job.ended_at) - Date.parse(job.started_at)) / 1000
      : null;
  return (
    <section class="panel" aria-label="Facts">
      <h2 class="panel-title">Facts</h2>
      <dl class="facts">
        <Fact name="Owner">
          <Prose text={owner_name(job, user)} />
        </Fact>
        {job.engine && (
          <Fact name="Engine">
            <Prose text={job.engine} />
          </Fact>
        )}
        {job.worker !== null && (
          <Fact name="Worker">
            <span class="num">{job.worker}</span>
          </Fact>
        )}
        {job.handle && (
          <Fact name="Handle">
            <Prose text={job.handle} max={80} />
          </Fact>
        )}
        <Fact name="Failures">
          <span class="num">
            {job.attempt}
            {job.attempts_max ? ` of ${job.attempts_max}` : ''}
          </span>
        </Fact>
        {job.retries > 0 && (
          <Fact name="Retries">
            <span class="num">{job.retries}</span>
          </Fact>
        )}
        <Fact name="Created">
          <Ago at={job.created_at} />
        </Fact>
        {job.started_at && (
          <Fact name="Started">
            <Ago at={job.started_at} />
          </Fact>
        )}
        {job.ended_at && (
          <Fact name="Ended">
            <Ago at={job.ended_at} />
          </Fact>
        )}
        {took !== null && (
          <Fact name="Took">
            <span class="num">{duration(took)}</span>
          </Fact>
        )}
        {job.end === 'open' && job.worker === null && job.due_at && (
          <Fact name="Due">
            <Ago at={job.due_at} />
          </Fact>
        )}
        {job.deleted_files && (
          <Fact name="Its files">
            <Prose text={what_became(job.deleted_files)} />
            {job.deleted_files.reasons.map((reason) => (
              <Prose key={reason} text={reason} />
            ))}
          </Fact>
        )}
        {job.missing_since && (
          <Fact name="Missing since">
            <time dateTime={job.missing_since}>{clock(job.missing_since)}</time>
          </Fact>
        )}
      </dl>
    </section>
  );
}

// Draws flat `inner` values on one line.
export function Value({
  value,
  name = '',
  inner = false,
}: {
  value: Json;
  name?: string;
  inner?: boolean;
}) {
  if (value === null) return <span class="muted">none</span>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number')
    return <span class="num">{/size|bytes/.test(name) ? bytes(value) : String(value)}</span>;
  if (typeof value === 'string') return <Address text={value} />;
  if (Array.isArray(value) && value.length === 0) return <span class="muted">none</span>;
  if (Array.isArray(value))
    return (
      <ul class="values">
        {value.slice(0, 100).map((one, index) => (
          <li key={index}>
            <Value value={one} name={name} inner />
          </li>
        ))}
        {value.length > 100 && <li class="muted">and {value.length - 100} more</li>}
      </ul>
    );
  const flat = Object.values(value).every((one) => one === null || typeof one !== 'object');
  if (flat && inner)
    return (
      <dl class="facts-line">
        {Object.entries(value).map(([key, one]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              <Value value={one} name={key} />
            </dd>
          </div>
        ))}
      </dl>
    );
  return (
    <dl class="facts">
      {Object.entries(value).map(([key, one]) => (
        <Fact key={key} name={key}>
          <Value value={one} name={key} inner />
        </Fact>
      ))}
    </dl>
  );
}

export function RequestPanel({ job }: { job: Job }) {
  return (
    <section class="panel" aria-label="Request">
      <h2 class="panel-title">Request</h2>
      <Value value={job.request} />
    </section>
  );
}

// Leaves out empty values, pictures, and the file counts of a job without items.
function is_told(name: string, value: Json, job: Job): boolean {
  if (name === 'assets' && pictures_of({ assets: value }).length > 0) return false;
  if (value === null || (Array.isArray(value) && value.length === 0)) return false;
  return job.counts.total > 0 || !name.endsWith('_files');
}

// Only an ended job has a result. A missing result is not an error.
export function ResultPanel({ job }: { job: Job }) {
  const result = useLoad(`result ${job.id} ${job.seq}`, () =>
    job.end === 'open' ? Promise.resolve(null) : api.result(job.id).catch(() => null),
  );
  if (result.data === null || job.end === 'open') return null;
  const shown =
    typeof result.data === 'object' && !Array.isArray(result.data)
      ? Object.fromEntries(
          Object.entries(result.data).filter(([name, value]) => is_told(name, value, job)),
        )
      : result.data;
  return (
    <section class="panel" aria-label="Result">
      <h2 class="panel-title">Result</h2>
      <JobPictures job={job} result={result.data} />
      <Value value={shown} />
    </section>
  );
}
