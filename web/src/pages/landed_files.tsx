// The files of a job in the library: where each one is, how it got there, what proves it, and what
// became of the download.
import { useState } from 'preact/hooks';
import { bytes, plural } from '../format';
import { how_words, source_words, verdict_of, type Landing, type SourceEnd } from '../landed';
import { StateName } from '../parts/small';
import { Long, Name, Prose } from '../parts/text';
import type { Job } from '../types';

const SHOWN = 50;

const name_of = (path: string) => path.split('/').pop() || path;

export function LandedFiles({ landing, job }: { landing: Landing; job: Pick<Job, 'end'> }) {
  const [all, show] = useState(false);
  const files = all ? landing.files : landing.files.slice(0, SHOWN);
  return (
    <>
      <ul class="landed" aria-label="Files in the library">
        {files.map((file) => {
          const verdict = verdict_of(file, landing, job);
          return (
            <li key={file.path}>
              <p class="landed-name">
                <Name text={name_of(file.path)} />
                <span class="muted num">{bytes(file.size)}</span>
              </p>
              <dl class="facts">
                <div>
                  <dt>In the library</dt>
                  <dd>
                    <Long text={file.path} />{' '}
                    {file.how && <span class="flag">{how_words(file.how)}</span>}
                  </dd>
                </div>
                <div>
                  <dt>Proof</dt>
                  <dd>
                    <StateName state={verdict.words} end={verdict.look} />
                  </dd>
                </div>
                <div>
                  <dt>Download</dt>
                  <dd>
                    <Long text={file.source_end?.path ?? file.source} />{' '}
                    {file.source_end && <SourceFlag end={file.source_end} />}
                  </dd>
                </div>
              </dl>
            </li>
          );
        })}
      </ul>
      {!all && landing.files.length > SHOWN && (
        <button type="button" class="button small wide" onClick={() => show(true)}>
          Show all {plural(landing.files.length, 'file')}
        </button>
      )}
      {landing.others.length > 0 && <Others ends={landing.others} />}
    </>
  );
}

function SourceFlag({ end }: { end: SourceEnd }) {
  return (
    <span class={end.outcome === 'kept_unsafe' ? 'flag flag-warn' : 'flag'}>
      <Prose text={source_words(end)} max={300} />
    </span>
  );
}

function Others({ ends }: { ends: SourceEnd[] }) {
  return (
    <details class="more">
      <summary>{plural(ends.length, 'other file')} of the download</summary>
      <ul class="values">
        {ends.slice(0, 1_000).map((end) => (
          <li key={end.path}>
            <Prose text={end.path} max={400} /> <SourceFlag end={end} />
          </li>
        ))}
      </ul>
    </details>
  );
}

export function LandedPanel({ landing, job }: { landing: Landing | null; job: Job }) {
  if (!landing) return null;
  return (
    <section class="panel" aria-label="In the library">
      <h2 class="panel-title">
        In the library <span class="muted num">{plural(landing.files.length, 'file')}</span>
      </h2>
      <LandedFiles landing={landing} job={job} />
    </section>
  );
}
