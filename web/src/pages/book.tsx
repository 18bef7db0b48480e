// One book: its file of each kind, and all its jobs.
import { useEffect, useState } from 'preact/hooks';
import { api, Refused } from '../api';
import { end_of_asset, holdings_of, kind_of, type Holding } from '../books';
import { bytes } from '../format';
import { useLoad, useProgress, useSoon, useTitle } from '../hooks';
import { hear } from '../live';
import { LeftIcon, PlusIcon } from '../parts/icons';
import { Ago, Bar, StateName, Trouble, Waiting } from '../parts/small';
import { progress_words } from '../progress';
import { Address, Long, Name, Pieces } from '../parts/text';
import { cut_middle, plain } from '../text';
import type { Asset, Book, Job, User } from '../types';
import { may_add } from '../who';
import { look_of, state_of } from '../outcome';
import { library_path, ShelfName } from './library';

const HISTORY = 20;

export function BookPage({ id, user }: { id: string; user: User }) {
  const loaded = useLoad(`book ${id}`, () => api.book(id));
  const [shown, show] = useState(HISTORY);
  const jobs = useLoad(`book jobs ${id} ${shown}`, () => read_jobs(id, shown));
  const book = loaded.data;
  useTitle(book ? plain(cut_middle(book.title, 80)) : 'Book');
  const refresh = () => {
    loaded.again();
    jobs.again();
  };
  const soon = useSoon(refresh, 1_000);
  useEffect(() => {
    const stops = [hear('event', soon), hear('resync', soon)];
    return () => stops.forEach((stop) => stop());
  }, [soon]);
  if (loaded.error instanceof Refused && loaded.error.status === 404)
    return (
      <div class="empty">
        <h1>There is no such book</h1>
        <a class="button" href={library_path()}>
          All books
        </a>
      </div>
    );
  if (!book)
    return (
      <div class="job">
        {loaded.error ? <Trouble error={loaded.error} again={refresh} /> : <Waiting rows={8} />}
      </div>
    );
  return (
    <article class="job book" data-book={book.id} data-shelf={book.shelf}>
      <header class="job-head">
        <a class="crumb" href={library_path()}>
          <LeftIcon />
          Library
        </a>
        <h1>
          <Name text={book.title} />
        </h1>
        <div class="job-tags">
          <ShelfName shelf={book.shelf} />
          <span class="sub">
            <span class="sub-cut">
              <Pieces text={cut_middle(book.id, 80)} />
            </span>
          </span>
        </div>
      </header>
      {loaded.error !== null && <Trouble error={loaded.error} again={refresh} />}
      <div class="kinds">
        {holdings_of(book).map((held) => (
          <Kind key={held.kind} book={book} held={held} user={user} />
        ))}
      </div>
      <section class="panel" aria-label="History">
        <h2 class="panel-title">History</h2>
        {jobs.error !== null && <Trouble error={jobs.error} again={jobs.again} />}
        {jobs.data?.items.length === 0 && (
          <p class="muted">This book has no jobs, or they belong to other users.</p>
        )}
        <ol class="history">
          {jobs.data?.items.map((job) => (
            <Past key={job.id} job={job} />
          ))}
        </ol>
        {jobs.data?.more && (
          <button type="button" class="button small wide" onClick={() => show(shown + 100)}>
            Show earlier jobs
          </button>
        )}
      </section>
    </article>
  );
}

// Reads the newest `wanted` jobs page by page.
async function read_jobs(id: string, wanted: number): Promise<{ items: Job[]; more: boolean }> {
  const items: Job[] = [];
  for (let cursor: string | null = ''; cursor !== null && items.length < wanted; ) {
    const limit = Math.min(100, wanted - items.length);
    const page = await api.book_jobs(id, { limit, cursor });
    items.push(...page.items);
    cursor = page.next === null ? null : String(page.next);
    if (items.length >= wanted) return { items, more: cursor !== null };
  }
  return { items, more: false };
}

function Kind({ book, held, user }: { book: Book; held: Holding; user: User }) {
  const { asset, job, kind } = held;
  const fetch_it = new URLSearchParams({
    as: 'book',
    book_id: book.id,
    title: book.title,
    media_type: kind,
  });
  return (
    <section class="panel kind" aria-label={`The ${plain(cut_middle(kind, 40))}`} data-kind={kind}>
      <header class="kind-head">
        <h2 class="panel-title">
          <Pieces text={cut_middle(kind, 40)} />
        </h2>
        {asset ? (
          <StateName state={asset.status} end={end_of_asset(asset)} />
        ) : (
          <span class="muted">{job ? 'in progress' : 'none yet'}</span>
        )}
      </header>
      {asset && <AssetFacts asset={asset} />}
      {job && <Coming job={job} />}
      {!job && asset?.status !== 'available' && may_add(user) && (
        <a class="button small" href={`/add?${fetch_it}`}>
          <PlusIcon />
          {asset ? 'Download again…' : 'Download…'}
        </a>
      )}
    </section>
  );
}

function AssetFacts({ asset }: { asset: Asset }) {
  return (
    <dl class="facts">
      {asset.size !== null && (
        <div>
          <dt>Size</dt>
          <dd class="num">{bytes(asset.size)}</dd>
        </div>
      )}
      {asset.path && (
        <div>
          <dt>File</dt>
          <dd>
            <Long text={asset.path} />
          </dd>
        </div>
      )}
      {asset.source_url && (
        <div>
          <dt>From</dt>
          <dd>
            <Address text={asset.source_url} />
          </dd>
        </div>
      )}
      <div>
        <dt>{asset.removed_at ? 'Removed' : 'Arrived'}</dt>
        <dd>
          <Ago at={asset.removed_at ?? asset.created_at} />
          {asset.job !== null && (
            <>
              {' '}
              <a class="num" href={`/jobs/${asset.job}`}>
                #{asset.job}
              </a>
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}

function Coming({ job }: { job: Job }) {
  const progress = useProgress(job.id, job.progress, job.end === 'open');
  return (
    <div class="coming">
      <a class="coming-link" href={`/jobs/${job.id}`}>
        <StateName state={state_of(job)} end={look_of(job)} busy={progress !== null} />
        <span class="num">#{job.id}</span>
      </a>
      {progress && (
        <>
          <Bar progress={progress} label={`Progress of the ${plain(kind_of(job))}`} />
          <span class="sub num">
            {progress_words(progress, 'long').map((word) => (
              <span key={word}>{word}</span>
            ))}
          </span>
        </>
      )}
    </div>
  );
}

function Past({ job }: { job: Job }) {
  return (
    <li class={`past end-${look_of(job)}`} data-job={job.id}>
      <StateName state={state_of(job)} end={look_of(job)} />
      <a class="past-link" href={`/jobs/${job.id}`}>
        <Pieces text={cut_middle(kind_of(job) || job.lifecycle, 40)} />{' '}
        <span class="num">#{job.id}</span>
      </a>
      <span class="past-more sub">
        {job.reason && (
          <code class="code" title={job.detail ? plain(cut_middle(job.detail, 300)) : undefined}>
            <Pieces text={cut_middle(job.reason, 60)} />
          </code>
        )}
        {job.detail && (
          <span class="sub-cut">
            <Pieces text={cut_middle(job.detail, 160)} />
          </span>
        )}
      </span>
      <span class="past-when">
        <Ago at={job.moved_at} />
      </span>
    </li>
  );
}
