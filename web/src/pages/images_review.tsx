// Jobs that haul gave up on, by reason. A replay is a new job, which is paid again.
import { useMemo, useState } from 'preact/hooks';
import { api, sentence } from '../api';
import { credits, images } from '../images';
import { plural } from '../format';
import { useLoad, useTitle } from '../hooks';
import { RetryIcon } from '../parts/icons';
import { Pager } from '../parts/pager';
import { Ago, Dialog, Notice, Trouble, Waiting } from '../parts/small';
import { Name, Pieces, Prose } from '../parts/text';
import { go } from '../route';
import { complain, say } from '../say';
import { cut_middle, plain } from '../text';
import { title_of } from '../title';
import type { Job, Lifecycle, ReasonCount, User } from '../types';
import { is_own, may_add, owner_name } from '../who';
import { images_path } from './images';
import { useFollow } from './jobs_hooks';

const PAGE = 25;

interface Props {
  search: string;
  user: User;
  table: Lifecycle;
  state: string;
}

export function ImagesReview({ search, user, table, state }: Props) {
  useTitle('Review of images');
  const { reason, cursor } = useMemo(() => {
    const params = new URLSearchParams(search);
    return { reason: params.get('reason') ?? '', cursor: params.get('cursor') ?? '' };
  }, [search]);
  const of = { lifecycle: table.name, state };
  const reasons = useLoad(`reasons ${state}`, () => api.reasons(of));
  const list = useLoad(`review ${search}`, () => api.jobs({ ...of, reason, cursor, limit: PAGE }));
  const refresh = () => {
    reasons.again();
    list.again();
  };
  const jobs = list.data?.items ?? [];
  useFollow(refresh, jobs);
  const [busy, set_busy] = useState(false);
  const [asked, ask] = useState(false);
  const [kept, set_kept] = useState<string[]>([]);
  const replayable = may_add(user) ? jobs.filter((job) => job.allowed.includes('retry')) : [];
  const replay = async (which: Job[]) => {
    set_busy(true);
    ask(false);
    const refused: string[] = [];
    for (const job of which)
      await api.act(job.id, 'retry').catch((error: unknown) => {
        refused.push(`#${job.id}: ${sentence(error)}`);
      });
    const done = which.length - refused.length;
    if (done > 0) say(`${images(done)} replayed`);
    if (refused.length) complain(`${plural(refused.length, 'replay')} refused`);
    set_kept(refused);
    set_busy(false);
    refresh();
  };
  const price = table.price ?? 0;
  return (
    <>
      <p class="muted review-about">
        haul gave these images up and returned their credits. A replay is a new job
        {price > 0 ? ` that costs its owner ${credits(price)}` : ''}.
      </p>
      <Reasons reasons={reasons.data?.items ?? []} reason={reason} />
      {list.error !== null && <Trouble error={list.error} again={refresh} />}
      {kept.length > 0 && (
        <Notice tone="bad">
          <span class="grow">
            {kept.map((one) => (
              <p key={one}>
                <Prose text={one} max={400} />
              </p>
            ))}
          </span>
        </Notice>
      )}
      {!list.data && list.loading && <Waiting rows={6} />}
      {list.data && jobs.length === 0 && (
        <div class="empty">
          <h2>Nothing to review</h2>
          <p>{reason ? 'No image has this reason.' : 'haul has given up on no image.'}</p>
        </div>
      )}
      {replayable.length > 1 && (
        <div class="list-head">
          <span class="grow" />
          <button type="button" class="button" disabled={busy} onClick={() => ask(true)}>
            <RetryIcon />
            Replay these {replayable.length}…
          </button>
        </div>
      )}
      {jobs.length > 0 && (
        <ul class="films review" aria-label="Images to review">
          {jobs.map((job) => (
            <Letter
              key={job.id}
              job={job}
              user={user}
              busy={busy}
              replay={replayable.includes(job) ? () => void replay([job]) : null}
            />
          ))}
        </ul>
      )}
      <Pager
        list="review"
        cursor={cursor}
        next={list.data?.next ? String(list.data.next) : null}
        path={(to) => images_path({ view: 'review', reason, cursor: to })}
        words={{ first: 'Newest', back: 'Newer', on: 'Older' }}
      />
      {asked && (
        <Dialog title={`Replay ${images(replayable.length)}?`} onClose={() => ask(false)}>
          <p>
            Each becomes a new job.{' '}
            {price > 0 && `Together they cost ${credits(price * replayable.length)}.`}
          </p>
          <footer class="dialog-foot">
            <button type="button" class="button" onClick={() => ask(false)}>
              Go back
            </button>
            <button type="button" class="button primary" onClick={() => void replay(replayable)}>
              Replay {images(replayable.length)}
            </button>
          </footer>
        </Dialog>
      )}
    </>
  );
}

function Reasons({ reasons, reason }: { reasons: ReasonCount[]; reason: string }) {
  if (reasons.length === 0) return null;
  const pick = (to: string) => go(images_path({ view: 'review', reason: to }));
  const all = reasons.reduce((sum, one) => sum + one.count, 0);
  return (
    <div class="chips review-reasons" role="group" aria-label="Reason">
      <button type="button" aria-pressed={!reason} onClick={() => pick('')}>
        All reasons <span class="count">{all.toLocaleString('en')}</span>
      </button>
      {reasons.map((one) => (
        <button
          key={one.reason}
          type="button"
          aria-pressed={one.reason === reason}
          onClick={() => pick(one.reason === reason ? '' : one.reason)}
        >
          <Pieces text={cut_middle(one.reason, 60)} />{' '}
          <span class="count">{one.count.toLocaleString('en')}</span>
        </button>
      ))}
    </div>
  );
}

interface LetterProps {
  job: Job;
  user: User;
  busy: boolean;
  replay: (() => void) | null;
}

function Letter({ job, user, busy, replay }: LetterProps) {
  const title = title_of(job);
  return (
    <li class="row letter" data-job={job.id}>
      <div class="letter-name">
        <a class="row-link" href={`/jobs/${job.id}`}>
          <Name text={title} />
        </a>
        <span class="sub">
          <span class="num">#{job.id}</span>
          {!is_own(job, user) && (
            <span class="sub-cut">
              <Pieces text={cut_middle(owner_name(job, user), 40)} />
            </span>
          )}
          <span>{plural(job.attempts, 'attempt')}</span>
          <Ago at={job.moved_at} />
        </span>
      </div>
      <div class="letter-why">
        {job.reason && (
          <code class="code">
            <Pieces text={cut_middle(job.reason, 60)} />
          </code>
        )}
        {job.detail && (
          <p class="muted">
            <Prose text={job.detail} max={300} />
          </p>
        )}
      </div>
      {replay && (
        <button
          type="button"
          class="button small"
          disabled={busy}
          aria-label={`Replay ${plain(cut_middle(title, 80))}`}
          onClick={replay}
        >
          <RetryIcon />
          Replay
        </button>
      )}
    </li>
  );
}
