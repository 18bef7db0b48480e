// The dialog before an action on all jobs that match the filter: it counts them with a dry run.
import { useEffect, useState } from 'preact/hooks';
import { api, sentence, type JobMatch } from '../api';
import { DELETE_WITH_FILES_WORDS, DELETE_WORDS, DONE, type Action } from '../bulk';
import { capital, plural } from '../format';
import { act_on_all, question, type Sum } from '../matching';
import { Dialog, Trouble } from '../parts/small';
import { Pieces } from '../parts/text';
import { WithFiles } from '../parts/with_files';
import { say } from '../say';

interface Props {
  action: Action;
  filter: JobMatch;
  onClose: (done: boolean) => void;
}

export function MatchingDialog({ action, filter, onClose }: Props) {
  const [plain, set_plain] = useState<Sum | null>(null); // So far.
  const [counted, set_counted] = useState(false);
  const [full, set_full] = useState<Sum | null>(null); // With their files, once all are counted.
  const [with_files, set_with_files] = useState(false);
  const [done, set_done] = useState<Sum | null>(null); // So far.
  const [finished, set_finished] = useState(false);
  const [error, set_error] = useState<string | null>(null);
  const tried = with_files ? full : plain;
  const call = (dry_run: boolean, files: boolean) => (cursor: string | undefined) =>
    api.act_on_matching({
      action,
      filter,
      dry_run,
      ...(files ? { files } : {}),
      ...(cursor ? { cursor } : {}),
    });
  useEffect(() => {
    act_on_all(call(true, false), set_plain)
      .then(() => set_counted(true))
      .then(() => (action === 'delete' ? act_on_all(call(true, true), () => {}) : null))
      .then(set_full)
      .catch((refused: unknown) => set_error(sentence(refused)));
  }, []);
  const go = async () => {
    try {
      const sum = await act_on_all(call(false, with_files), set_done);
      set_finished(true);
      if (sum.refused.length) return;
      say(`${plural(sum.acted, 'job')} ${DONE[action]}`);
      onClose(true);
    } catch (refused) {
      set_error(sentence(refused));
    }
  };
  const busy = done !== null && !finished;
  return (
    <Dialog
      title={`${capital(action)} all jobs that match${finished ? '' : '?'}`}
      onClose={() => onClose(done !== null)}
    >
      {error && <Trouble error={error} />}
      {!finished && (
        <p role="status" data-counted={counted}>
          {counted && tried
            ? question(action, tried)
            : `Counting… ${tried?.matched.toLocaleString('en') ?? 0}`}
        </p>
      )}
      {!finished && action === 'delete' && (
        <p class="muted">{with_files ? DELETE_WITH_FILES_WORDS : DELETE_WORDS}</p>
      )}
      {!finished && full && (
        <WithFiles own={full} whose="their" on={with_files} set={set_with_files} disabled={busy} />
      )}
      {finished && done && <Refusals sum={done} action={action} />}
      <footer class="dialog-foot">
        {busy && (
          <span class="grow num" role="status">
            {done.acted} of {tried?.acted}
          </span>
        )}
        <button type="button" class="button" onClick={() => onClose(done !== null)}>
          {finished ? 'Close' : 'Go back'}
        </button>
        {!finished && (
          <button
            type="button"
            class={
              action === 'cancel' || action === 'delete' ? 'button danger solid' : 'button primary'
            }
            disabled={!counted || !tried?.acted || busy}
            onClick={go}
          >
            {capital(action)} {plural(tried?.acted ?? 0, 'job')}
          </button>
        )}
      </footer>
    </Dialog>
  );
}

function Refusals({ sum, action }: { sum: Sum; action: Action }) {
  return (
    <div class="bulk-group" role="alert">
      <p>
        {plural(sum.acted, 'job')} {DONE[action]}, {sum.matched - sum.acted} unchanged:
      </p>
      <ul class="bulk-list">
        {sum.refused.map((one) => (
          <li key={one.id}>
            <a href={`/jobs/${one.id}`}>#{one.id}</a>
            <span class="sub">
              <Pieces text={one.detail || one.code || one.state} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
