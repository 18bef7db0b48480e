// Why the job is in its state and what happens next, in the server's words.
import { ago } from '../format';
import { useNow } from '../hooks';
import { Ago } from '../parts/small';
import { Pieces, Prose } from '../parts/text';
import type { Job, Why } from '../types';

function first_up(text: string): string {
  return text ? text[0]!.toUpperCase() + text.slice(1) : text;
}

export function WhyPanel({ why, job }: { why: Why | null; job: Job }) {
  const now = useNow();
  if (!why)
    return (
      <section class="why panel" aria-label="Why" aria-busy="true">
        <p class="why-because">&nbsp;</p>
      </section>
    );
  const reason = why.reason ?? job.reason;
  const detail = why.detail ?? job.detail;
  return (
    <section class="why panel" aria-label="Why">
      <p class="why-because">
        <Prose text={first_up(why.because)} />
        <code class="code" title="The code of this answer, for scripts">
          {why.code}
        </code>
      </p>
      <dl class="why-more">
        <div>
          <dt>Since</dt>
          <dd>
            <Ago at={why.since} />
            {why.stuck && <span class="flag flag-warn">longer than expected</span>}
          </dd>
        </div>
        {why.seen_at && (
          <div>
            <dt>Last seen</dt>
            <dd>
              <Ago at={why.seen_at} />
            </dd>
          </div>
        )}
        {why.next && (
          <div>
            <dt>Next</dt>
            <dd>
              <Pieces text={first_up(why.next)} />
              {why.next_at && (
                <span class="num">{` · ${Date.parse(why.next_at) > now + 1000 ? ago(why.next_at, now) : 'now'}`}</span>
              )}
            </dd>
          </div>
        )}
        {why.holders && why.holders.length > 0 && (
          <div>
            <dt>Held by</dt>
            <dd class="num">
              {why.holders.map((id, index) => (
                <>
                  {index > 0 && ', '}
                  <a href={`/jobs/${id}`}>#{id}</a>
                </>
              ))}
            </dd>
          </div>
        )}
        {reason && (
          <div class="wide">
            <dt>Reason</dt>
            <dd>
              <code class="code">
                <Pieces text={reason} />
              </code>
              {detail && (
                <>
                  {' '}
                  <Prose text={detail} />
                </>
              )}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
