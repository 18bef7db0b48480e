// The dialog before a bulk action: what happens to how many jobs, and which jobs stay unchanged.
import { useState } from 'preact/hooks';
import { api, sentence } from '../api';
import { DONE, preview, type Action } from '../bulk';
import { own_files } from '../deleted_files';
import { capital, plural } from '../format';
import { Dialog } from '../parts/small';
import { Name, Pieces } from '../parts/text';
import { WithFiles } from '../parts/with_files';
import { say } from '../say';
import { title_of } from '../title';
import type { Job, Lifecycle } from '../types';

const AT_ONCE = 4;
const SHOWN_MAX = 50;

interface Props {
  action: Action;
  jobs: Job[];
  tables: Lifecycle[];
  onClose: (done: boolean) => void;
}

interface Refusal {
  job: Job;
  why: string;
}

async function act_on(
  jobs: Job[],
  action: Action,
  with_files: boolean,
  step: () => void,
): Promise<Refusal[]> {
  const left = [...jobs];
  const refused: Refusal[] = [];
  const worker = async () => {
    for (let job = left.shift(); job; job = left.shift()) {
      await api
        .act(job.id, action, with_files && job.counts.downloaded > 0)
        .catch((error: unknown) => refused.push({ job: job!, why: sentence(error) }));
      step();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return refused;
}

export function BulkDialog({ action, jobs, tables, onClose }: Props) {
  // The action applies to the jobs in the preview, not to rows that change meanwhile.
  const [shown] = useState(() => preview(action, jobs, tables));
  const [with_files, set_with_files] = useState(false);
  const [done, set_done] = useState<number | null>(null);
  const [refused, set_refused] = useState<Refusal[] | null>(null);
  const go = async () => {
    let count = 0;
    set_done(0);
    const failed = await act_on(shown.will, action, with_files, () => set_done(++count));
    if (failed.length) return set_refused(failed);
    say(`${plural(shown.will.length, 'job')} ${DONE[action]}`);
    onClose(true);
  };
  const title = `${capital(action)} ${plural(shown.will.length, 'job')}${refused ? '' : '?'}`;
  return (
    <Dialog title={title} onClose={() => onClose(refused !== null)}>
      {refused ? (
        <Refused refused={refused} asked={shown.will.length} action={action} />
      ) : (
        <>
          {shown.will.length === 0 && <p>None of the selected jobs allows this now.</p>}
          {shown.groups.map((group) => (
            <div key={group.becomes} class="bulk-group">
              <p>
                <strong class="num">{group.jobs.length}</strong> <Pieces text={group.becomes} />
              </p>
              <Jobs list={group.jobs.map((job) => ({ job, why: '' }))} />
            </div>
          ))}
          {shown.wont.length > 0 && (
            <div class="bulk-group bulk-wont">
              <p>
                <strong class="num">{shown.wont.length}</strong> unchanged
              </p>
              <Jobs list={shown.wont} />
            </div>
          )}
          {action === 'delete' && (
            <WithFiles
              own={own_files(shown.will)}
              whose="their"
              on={with_files}
              set={set_with_files}
              disabled={done !== null}
            />
          )}
        </>
      )}
      <footer class="dialog-foot">
        {done !== null && !refused && (
          <span class="grow num" role="status">
            {done} of {shown.will.length}
          </span>
        )}
        <button type="button" class="button" onClick={() => onClose(refused !== null)}>
          {refused ? 'Close' : 'Go back'}
        </button>
        {!refused && (
          <button
            type="button"
            class={
              action === 'cancel' || action === 'delete' ? 'button danger solid' : 'button primary'
            }
            disabled={shown.will.length === 0 || done !== null}
            onClick={go}
          >
            {capital(action)} {plural(shown.will.length, 'job')}
          </button>
        )}
      </footer>
    </Dialog>
  );
}

function Refused({
  refused,
  asked,
  action,
}: {
  refused: Refusal[];
  asked: number;
  action: Action;
}) {
  return (
    <div class="bulk-group" role="alert">
      <p>
        {plural(asked - refused.length, 'job')} {DONE[action]}, {refused.length} refused:
      </p>
      <Jobs list={refused} />
    </div>
  );
}

function Jobs({ list }: { list: Refusal[] }) {
  return (
    <ul class="bulk-list">
      {list.slice(0, SHOWN_MAX).map(({ job, why }) => (
        <li key={job.id}>
          <Name text={title_of(job)} />
          <span class="sub num">{why ? <Pieces text={why} /> : `#${job.id}`}</span>
        </li>
      ))}
      {list.length > SHOWN_MAX && <li class="sub">and {list.length - SHOWN_MAX} more</li>}
    </ul>
  );
}
