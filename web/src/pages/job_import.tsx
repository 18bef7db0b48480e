// Importing by hand: the files of a job whose names do not say enough, what haul would do with
// them, and a form that says what they are. Nothing is imported before a preview without a problem.
import { useEffect, useState } from 'preact/hooks';
import { api, sentence } from '../api';
import { body_of, fix_of, is_same, may_import, plan_words, type Said } from '../by_hand';
import { bytes, plural } from '../format';
import { Notice, Trouble, Waiting } from '../parts/small';
import { Name, Prose } from '../parts/text';
import { announce, complain, say } from '../say';
import { cut_middle, plain } from '../text';
import type { ImportPlan, Job, PlannedFile, User } from '../types';

const SHOWN = 100;
const NOTHING: Said = { whole: '', files: {} };
const focus = (element: HTMLElement | null) => element?.focus();

interface Shown {
  plan: ImportPlan;
  said: Said; // What the plan was made for.
}

export function ImportPanel({ job, user, refresh }: { job: Job; user: User; refresh: () => void }) {
  return (
    <section class="panel by-hand" aria-label="Import by hand">
      <h2 class="panel-title">Import by hand</h2>
      {may_import(job, user) ? (
        <ImportForm key={job.seq} job={job} refresh={refresh} />
      ) : (
        <p class="muted">Its owner or an operator can say what its files are.</p>
      )}
    </section>
  );
}

function ImportForm({ job, refresh }: { job: Job; refresh: () => void }) {
  const [said, set_said] = useState(NOTHING);
  const [shown, show] = useState<Shown | null>(null);
  const [error, set_error] = useState<unknown>(null);
  const [busy, set_busy] = useState(false);
  const [more, show_more] = useState(SHOWN);
  const [asked, set_asked] = useState(false);
  const look = async (at: Said) => {
    set_busy(true);
    try {
      const plan = await api.plan_import(job.id, body_of(at, true));
      show({ plan, said: at });
      set_error(null);
      announce(plan_words(plan));
    } catch (caught) {
      set_error(caught);
    }
    set_busy(false);
  };
  useEffect(() => void look(NOTHING), []);
  // haul has tried, and the job waits for something else.
  useEffect(() => set_asked(false), [job.reason, job.detail]);
  const preview = (event: Event) => {
    event.preventDefault();
    if (!busy) void look(said);
  };
  const confirm = async () => {
    set_busy(true);
    try {
      await api.import_job(job.id, body_of(said, false));
      say('haul tries to import it now');
      set_asked(true);
    } catch (caught) {
      complain(`The import was refused: ${sentence(caught)}`);
    }
    set_busy(false);
    refresh();
  };
  if (asked)
    return (
      <Notice>
        <span class="grow">haul tries to import it with what you said.</span>
        <button type="button" class="button small" ref={focus} onClick={() => set_asked(false)}>
          Change it
        </button>
      </Notice>
    );
  if (!shown)
    return error ? <Trouble error={error} again={() => look(said)} /> : <Waiting rows={3} />;
  const { plan } = shown;
  const is_current = is_same(said, shown.said);
  const fix = fix_of(plan.problem?.fix);
  return (
    <form class="by-hand-form" noValidate onSubmit={preview}>
      {plan.problem && (
        <Notice tone="bad">
          <span class="grow">
            <p>
              <Prose text={plan.problem.detail || plan.problem.code} />
            </p>
            {fix && (
              <p>
                <Prose text={fix} />
              </p>
            )}
          </span>
        </Notice>
      )}
      {!plan.problem && is_same(shown.said, NOTHING) && job.detail && (
        <p class="muted">
          <Prose text={job.detail} />
        </p>
      )}
      {error !== null && <Trouble error={error} />}
      <div class="field">
        <label class="field-name" for="import-as">
          What it is
        </label>
        <input
          id="import-as"
          class="input"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="import-as-about"
          value={said.whole}
          onInput={(event) => set_said({ ...said, whole: event.currentTarget.value })}
        />
        <span class="field-about" id="import-as-about">
          movie, an episode such as S01E02 or 2024-01-15, or a season such as S01. For a file below:
          an episode, movie or skip. What you leave empty is read from the names.
        </span>
      </div>
      {plan.files.length > 0 && (
        <ul class="plan" aria-label="Files of the download">
          {plan.files.slice(0, more).map((file) => (
            <PlanRow
              key={file.source}
              file={file}
              as={said.files[file.source] ?? ''}
              change={(as) => set_said({ ...said, files: { ...said.files, [file.source]: as } })}
            />
          ))}
        </ul>
      )}
      {plan.files.length > more && (
        <button type="button" class="button small wide" onClick={() => show_more(more + SHOWN)}>
          Show {plural(Math.min(SHOWN, plan.files.length - more), 'more file', 'more files')}
        </button>
      )}
      <div class="form-foot">
        <span class="grow muted">
          {is_current ? plan_words(plan) : 'Preview it to see the names'}
        </span>
        <button type="submit" class="button" disabled={busy}>
          Preview
        </button>
        <button
          type="button"
          class="button primary"
          disabled={busy || !is_current || plan.problem !== null}
          onClick={confirm}
        >
          Import
        </button>
      </div>
    </form>
  );
}

interface RowProps {
  file: PlannedFile;
  as: string;
  change: (as: string) => void;
}

function PlanRow({ file, as, change }: RowProps) {
  return (
    <li class="plan-row">
      <span class="plan-file">
        <Name text={file.source} />
        <span class="sub num">
          {file.size !== null && <span>{bytes(file.size)}</span>}
          {file.target && (
            <span class="plan-target">
              → <Prose text={file.target} max={400} />
            </span>
          )}
          {file.target && file.how && <span>by {plain(file.how)}</span>}
          {(file.reason || !file.target) && (
            <span>
              {file.reason ? `stays out: ${plain(file.reason.replaceAll('_', ' '))}` : 'stays out'}
            </span>
          )}
        </span>
      </span>
      <input
        class="input"
        autocomplete="off"
        spellcheck={false}
        placeholder="S01E02, skip…"
        aria-label={`What ${plain(cut_middle(file.source, 80))} is`}
        value={as}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </li>
  );
}
