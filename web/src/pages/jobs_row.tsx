// One job in the list. Its progress is live; the rest is as fetched with the list.
import { plural } from '../format';
import { useProgress } from '../hooks';
import { CategoryName } from '../parts/category';
import { Ago, Bar, StateName } from '../parts/small';
import { progress_words, retry_words } from '../progress';
import { Name, Pieces } from '../parts/text';
import { cut_middle, plain } from '../text';
import { source_of, title_of } from '../title';
import type { Counts, Job, Progress, User } from '../types';
import { priority_word } from '../priority';
import { is_own, owner_name } from '../who';
import { is_busy, look_of, state_of } from '../outcome';

interface Props {
  job: Job;
  selected: boolean;
  toggle: (job: Job) => void;
  user: User;
  can_select: boolean;
}

export function JobRow({ job, selected, toggle, user, can_select }: Props) {
  const title = title_of(job);
  const source = source_of(job);
  const progress = useProgress(job.id, job.progress, job.end === 'open');
  const owner = is_own(job, user) ? '' : owner_name(job, user);
  return (
    <tr
      class={`row end-${look_of(job)}${selected ? ' selected' : ''}`}
      role="row"
      data-job={job.id}
    >
      <td class="cell-select" role="cell">
        {can_select && (
          <input
            type="checkbox"
            checked={selected}
            aria-label={`Select ${plain(cut_middle(title, 80))}`}
            onChange={() => toggle(job)}
          />
        )}
      </td>
      <td class="cell-job" role="cell">
        <a class="row-link" href={`/jobs/${job.id}`}>
          <Name text={title} />
        </a>
        <span class="sub">
          <span>{job.lifecycle}</span>
          <span class="num">#{job.id}</span>
          <CategoryName name={job.category} />
          {source && (
            <span class="sub-cut">
              <Pieces text={cut_middle(source, 60)} />
            </span>
          )}
          {owner && (
            <span class="sub-cut">
              <Pieces text={cut_middle(owner, 40)} />
            </span>
          )}
        </span>
      </td>
      <td class="cell-state" role="cell">
        <StateName
          state={plain(state_of(job, progress))}
          end={look_of(job)}
          busy={is_busy(job, progress)}
        />
        <UnderState job={job} progress={progress} />
      </td>
      <td class="cell-progress" role="cell">
        <RowProgress job={job} progress={progress} title={title} />
      </td>
      <td class="cell-when" role="cell">
        <Ago at={job.moved_at} />
      </td>
    </tr>
  );
}

// Facts that the state does not show: a job with a good end may have failed items.
export function Flags({ job }: { job: Job }) {
  const { failed } = job.counts;
  return (
    <>
      {failed > 0 && <span class="flag flag-bad">{failed.toLocaleString('en')} failed</span>}
      {job.paused && <span class="flag">paused</span>}
      {job.end === 'open' && job.priority !== 0 && (
        <span class="flag">{priority_word(job.priority)} priority</span>
      )}
      {job.stuck && <span class="flag flag-warn">stuck</span>}
    </>
  );
}

// A reason that only repeats the state, such as "cancelled", is not shown.
function says_more(reason: string | null, state: string): reason is string {
  return Boolean(reason) && !/^cancell?ed$/.test(reason!) && reason !== state.toLowerCase();
}

function UnderState({ job, progress }: { job: Job; progress: Progress | null }) {
  const retry = progress && !job.paused ? retry_words(progress) : '';
  return (
    <span class="sub">
      <Flags job={job} />
      {job.begins_at && (
        <span class="reason">
          begins <Ago at={job.begins_at} />
        </span>
      )}
      {retry && (
        <span class="reason retry">
          <Pieces text={cut_middle(retry, 100)} />
        </span>
      )}
      {says_more(job.reason, job.state) && (
        <span class="reason" title={job.detail ? plain(cut_middle(job.detail, 300)) : undefined}>
          <Pieces text={cut_middle(job.reason, 60)} />
        </span>
      )}
      {job.attempt > 0 && job.end === 'open' && (
        <span class="attempt">
          attempt {job.attempt + 1}
          {job.attempts_max ? ` of ${job.attempts_max}` : ''}
        </span>
      )}
    </span>
  );
}

interface RowProgressProps {
  job: Job;
  progress: Progress | null;
  title: string;
}

function RowProgress({ job, progress, title }: RowProgressProps) {
  if (!progress)
    return (
      <span class="sub counts">
        <span>{counts_words(job.counts)}</span>
      </span>
    );
  return (
    <>
      <Bar progress={progress} label={`Progress of ${plain(cut_middle(title, 80))}`} />
      <span class="sub num">
        {progress_words(progress, 'short').map((word) => (
          <span key={word}>{word}</span>
        ))}
      </span>
    </>
  );
}

export function counts_words(counts: Counts): string {
  if (!counts.total) return '';
  const words = [plural(counts.total, 'item')];
  if (counts.skipped) words.push(`${counts.skipped} skipped`);
  return words.join(', ');
}
