// One job: its request, why it is in its state, the actions it allows, and its history.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api, Refused, sentence } from '../api';
import { book_path } from '../books';
import { ACTIONS, cancel_words, DELETE_WITH_FILES_WORDS, DELETE_WORDS, type Action } from '../bulk';
import { own_files } from '../deleted_files';
import { waits_for_hand } from '../by_hand';
import { useLifecycles, useLoad, useProgress, useSoon, useTitle } from '../hooks';
import { landing_of } from '../landed';
import { hear, watch } from '../live';
import { CategoryName } from '../parts/category';
import { CrossIcon, LeftIcon, PauseIcon, PlayIcon, RetryIcon, StopIcon } from '../parts/icons';
import { Bar, Dialog, StateName, Trouble, Waiting } from '../parts/small';
import { progress_words, retry_words } from '../progress';
import { Name } from '../parts/text';
import { WithFiles } from '../parts/with_files';
import { go } from '../route';
import { list_path } from './jobs_hooks';
import { Flags } from './jobs_row';
import { announce, complain, say } from '../say';
import { cut_middle, plain } from '../text';
import { title_of } from '../title';
import type { Job, Lifecycle, User } from '../types';
import { may_add } from '../who';
import { is_busy, look_of, state_of } from '../outcome';
import { PriorityPicker } from './job_priority';
import { Facts, RequestPanel, ResultPanel } from './job_facts';
import { ImportPanel } from './job_import';
import { Items } from './job_items';
import { PicturePanel } from './job_picture';
import { Timeline, useEvents } from './job_timeline';
import { WhyPanel } from './job_why';
import { LandedPanel } from './landed_files';

export function JobPage({ id, user }: { id: number; user: User }) {
  const loaded = useLoad(`job ${id}`, () => api.job(id));
  const why = useLoad(`why ${id}`, () => api.why(id));
  const events = useEvents(id);
  const landing = useMemo(() => landing_of(events.items), [events.items]);
  const { tables } = useLifecycles();
  const job = loaded.data;
  useTitle(job ? plain(cut_middle(title_of(job), 60)) : `Job ${id}`);
  const refresh = () => {
    loaded.again();
    why.again();
  };
  const soon = useSoon(refresh, 500);
  const slowly = useSoon(refresh, 3_000); // Counts change without an event.
  useEffect(() => {
    const stops = [
      hear('event', (event) => {
        if (event.job !== id) return;
        if (event.to) announce(`Job ${id} is now ${event.to}`);
        soon();
      }),
      watch(id, slowly),
      hear('resync', soon),
    ];
    return () => stops.forEach((stop) => stop());
  }, [id]);

  if (!job && loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <div class="empty">
        <h1>There is no job {id}</h1>
        <p>It may belong to another user, or the number is wrong.</p>
        <a class="button" href="/jobs">
          All jobs
        </a>
      </div>
    );
  if (!job)
    return (
      <div class="job">
        {loaded.error ? <Trouble error={loaded.error} again={refresh} /> : <Waiting rows={8} />}
      </div>
    );
  const table = tables.find((one) => one.name === job.lifecycle);
  return (
    <article class={`job end-${look_of(job)}`} data-job={job.id} data-state={job.state}>
      <Head job={job} table={table} user={user} refresh={refresh} />
      {loaded.error !== null && <Trouble error={loaded.error} again={refresh} />}
      <WhyPanel why={why.data} job={job} />
      <div class="job-columns">
        <div class="job-main">
          {waits_for_hand(job) && <ImportPanel job={job} user={user} refresh={refresh} />}
          {table && <PicturePanel table={table} job={job} events={events.items} />}
          <LandedPanel landing={landing} job={job} />
          <Items job={job} tables={tables} user={user} />
          <ResultPanel job={job} />
        </div>
        <div class="job-side">
          <Facts job={job} user={user} />
          <Timeline events={events} />
          <RequestPanel job={job} />
        </div>
      </div>
    </article>
  );
}

function Head({
  job,
  table,
  user,
  refresh,
}: {
  job: Job;
  table: Lifecycle | undefined;
  user: User;
  refresh: () => void;
}) {
  const title = title_of(job);
  const progress = useProgress(job.id, job.progress, job.end === 'open');
  return (
    <header class="job-head">
      <a class="crumb" href={list_path()}>
        <LeftIcon />
        Jobs
      </a>
      <h1>
        <Name text={title} />
      </h1>
      {may_add(user) && <Actions job={job} table={table} refresh={refresh} />}
      <div class="job-tags">
        <StateName
          state={plain(state_of(job, progress))}
          end={look_of(job)}
          busy={is_busy(job, progress)}
        />
        <span class="sub">
          <span>{job.lifecycle}</span>
          <span class="num">#{job.id}</span>
          <CategoryName name={job.category} />
          <Flags job={job} />
          {typeof job.request['book_id'] === 'string' && (
            <a href={book_path(job.request['book_id'])}>its book</a>
          )}
          {job.hidden_at && <span class="flag">deleted</span>}
          {job.retry_of !== null && <a href={`/jobs/${job.retry_of}`}>retry of #{job.retry_of}</a>}
        </span>
        {may_add(user) && job.end === 'open' && <PriorityPicker job={job} refresh={refresh} />}
      </div>
      {progress && (
        <div class="job-progress">
          <Bar progress={progress} label="Progress of the job" />
          <span class="sub num">
            {progress_words(progress, 'long').map((word, index) => (
              <span key={index}>{word}</span>
            ))}
            {retry_words(progress) && <span>{retry_words(progress)}</span>}
          </span>
        </div>
      )}
    </header>
  );
}

const WORDS: Record<Action, { name: string; icon: preact.ComponentChildren; done: string }> = {
  pause: { name: 'Pause', icon: <PauseIcon />, done: 'Paused' },
  resume: { name: 'Resume', icon: <PlayIcon />, done: 'Resumed' },
  retry: { name: 'Retry', icon: <RetryIcon />, done: 'Retried' },
  cancel: { name: 'Cancel', icon: <StopIcon />, done: 'Cancelled' },
  delete: { name: 'Delete', icon: <CrossIcon />, done: 'Deleted' },
};

// These ask before they act.
function is_asked(action: Action): action is 'cancel' | 'delete' {
  return action === 'cancel' || action === 'delete';
}

// Only actions that the server allows now have a button.
function Actions({
  job,
  table,
  refresh,
}: {
  job: Job;
  table: Lifecycle | undefined;
  refresh: () => void;
}) {
  const [asking, ask] = useState<'cancel' | 'delete' | null>(null);
  const [with_files, set_with_files] = useState(false);
  const [busy, set_busy] = useState(false);
  const run = async (action: Action) => {
    ask(null);
    set_busy(true);
    try {
      const after = await api.act(job.id, action, with_files);
      const anew = after && after.id !== job.id;
      const pending = action === 'cancel' && after?.end === 'open';
      say(
        anew
          ? `Job #${after.id} retries it`
          : pending
            ? 'The job will be cancelled once its transfer has stopped'
            : action === 'pause' && after && !after.paused
              ? 'The job will be paused once its worker has stopped'
              : WORDS[action].done,
      );
      if (anew) go(`/jobs/${after.id}`);
      if (action === 'delete') go(list_path());
    } catch (error) {
      complain(`${WORDS[action].name} was refused: ${sentence(error)}`);
    }
    set_busy(false);
    refresh();
  };
  const shown = ACTIONS.filter((action) => job.allowed.includes(action));
  return (
    <div class="actions">
      {shown.map((action) => (
        <button
          key={action}
          type="button"
          class={is_asked(action) ? 'button danger' : 'button'}
          disabled={busy}
          onClick={() => {
            set_with_files(false);
            return is_asked(action) ? ask(action) : run(action);
          }}
        >
          {WORDS[action].icon}
          {WORDS[action].name}
          {is_asked(action) && '…'}
        </button>
      ))}
      {asking && (
        <Dialog title={`${WORDS[asking].name} this job?`} onClose={() => ask(null)}>
          <p>
            <Name text={title_of(job)} />
          </p>
          <p class="muted">
            {asking === 'cancel'
              ? cancel_words(job, table)
              : with_files
                ? DELETE_WITH_FILES_WORDS
                : DELETE_WORDS}
          </p>
          {asking === 'delete' && (
            <WithFiles own={own_files([job])} whose="its" on={with_files} set={set_with_files} />
          )}
          <footer class="dialog-foot">
            <button type="button" class="button" onClick={() => ask(null)}>
              Go back
            </button>
            <button type="button" class="button danger solid" onClick={() => run(asking)}>
              {WORDS[asking].name} the job
            </button>
          </footer>
        </Dialog>
      )}
    </div>
  );
}
