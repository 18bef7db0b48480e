// Films and series: one row for each job, newest first. A row opens to show its files.
import { useMemo, useState } from 'preact/hooks';
import { api, query_of } from '../api';
import { waits_for_hand } from '../by_hand';
import { FILMS, kind_of_film, release_of } from '../films';
import { useLoad, useProgress, useTitle } from '../hooks';
import { landing_of, type Landing } from '../landed';
import { is_busy, look_of, state_of } from '../outcome';
import { EndMark } from '../parts/icons';
import { LibraryNav } from '../parts/library_nav';
import { Pager } from '../parts/pager';
import { Ago, Bar, StateName, Trouble, Waiting } from '../parts/small';
import { progress_words } from '../progress';
import { Name, Pieces } from '../parts/text';
import { go } from '../route';
import { filled } from '../search';
import { cut_middle, plain } from '../text';
import { title_of } from '../title';
import type { End, Job, JobEvent, Stats, User } from '../types';
import { may_add } from '../who';
import { useFollow, useListKeys } from './jobs_hooks';
import { Search, SearchedSoFar } from './jobs_parts';
import { Flags } from './jobs_row';
import { LandedFiles } from './landed_files';

const PAGE = 50;
const ENDS: { end: End; name: string }[] = [
  { end: 'open', name: 'Open' },
  { end: 'good', name: 'Done' },
  { end: 'bad', name: 'Failed' },
];

interface Chosen {
  end: string;
  q: string;
  cursor: string;
}

const path_of = (chosen: Partial<Chosen>) => `/films${query_of(chosen)}`;
const no_selection = () => undefined;

export function FilmsPage({ search, user }: { search: string; user: User }) {
  useTitle('Films and series');
  const chosen = useMemo(() => {
    const params = new URLSearchParams(search);
    const get = (name: string) => params.get(name) ?? '';
    return { end: get('end'), q: get('q'), cursor: get('cursor') };
  }, [search]);
  const list = useLoad(`films ${search}`, () =>
    filled((page) => api.jobs({ ...chosen, ...page, lifecycle: FILMS }), {
      cursor: chosen.cursor,
      limit: PAGE,
    }),
  );
  const stats = useLoad<Stats>('stats', api.stats);
  const refresh = () => {
    list.again();
    stats.again();
  };
  const jobs = list.data?.items ?? [];
  useFollow(refresh, jobs);
  useListKeys(no_selection);
  const pick = (change: Partial<Chosen>) => go(path_of({ ...chosen, cursor: '', ...change }));
  return (
    <section class="list library" aria-label="Films and series">
      <h1 class="hidden">Films and series</h1>
      <LibraryNav here="/films" />
      <div class="list-head">
        <EndTabs stats={stats.data} end={chosen.end} pick={pick} />
        <Search q={chosen.q} pick={pick} label="Search the films and series" />
      </div>
      {list.error !== null && <Trouble error={list.error} again={refresh} />}
      {!list.data && list.loading && <Waiting rows={10} />}
      {list.data && jobs.length === 0 && !list.data.next && (
        <Nothing filtered={Boolean(chosen.end || chosen.q)} viewer={!may_add(user)} />
      )}
      {jobs.length > 0 && (
        <ul class="films">
          {jobs.map((job) => (
            <FilmRow key={job.id} job={job} />
          ))}
        </ul>
      )}
      {list.data?.next && jobs.length < PAGE && (
        <SearchedSoFar
          searched={list.data.searched ?? 0}
          found={jobs.length}
          noun="job"
          on={path_of({ ...chosen, cursor: list.data.next })}
        />
      )}
      <Pager
        list="films"
        cursor={chosen.cursor}
        next={list.data?.next ? String(list.data.next) : null}
        path={(cursor) => path_of({ ...chosen, cursor })}
        words={{ first: 'Newest', back: 'Newer', on: 'Older' }}
      />
    </section>
  );
}

interface TabsProps {
  stats: Stats | null;
  end: string;
  pick: (change: Partial<Chosen>) => void;
}

function EndTabs({ stats, end, pick }: TabsProps) {
  const rows = stats?.jobs.filter((row) => row.lifecycle === FILMS);
  const count = (of: string) => {
    const sum = rows
      ?.filter((row) => !of || row.end === of)
      .reduce((total, row) => total + row.count, 0);
    return sum === undefined ? null : <span class="count">{sum.toLocaleString('en')}</span>;
  };
  return (
    <div class="tabs" role="group" aria-label="How far they are">
      <button type="button" aria-pressed={!end} onClick={() => pick({ end: '' })}>
        All {count('')}
      </button>
      {ENDS.map((one) => (
        <button
          key={one.end}
          type="button"
          aria-pressed={end === one.end}
          onClick={() => pick({ end: end === one.end ? '' : one.end })}
        >
          <EndMark end={one.end} />
          <span class="tab-word">{one.name}</span> {count(one.end)}
        </button>
      ))}
    </div>
  );
}

function FilmRow({ job }: { job: Job }) {
  const [open, set_open] = useState(false);
  const title = title_of(job);
  const kind = kind_of_film(job);
  const progress = useProgress(job.id, job.progress, job.end === 'open');
  const files = `files-${job.id}`;
  return (
    <li class={`row film end-${look_of(job)}`} data-job={job.id}>
      <div class="film-name">
        <a class="row-link" href={`/jobs/${job.id}`}>
          <Name text={title} />
        </a>
        <span class="sub">
          {kind && (
            <span>
              <Pieces text={cut_middle(kind, 20)} />
            </span>
          )}
          <span class="num">#{job.id}</span>
          <span class="sub-cut">
            <Pieces text={cut_middle(release_of(job), 80)} />
          </span>
        </span>
      </div>
      <div class="film-state">
        <StateName state={state_of(job)} end={look_of(job)} busy={is_busy(job, progress)} />
        <span class="sub">
          {waits_for_hand(job) && <span class="flag flag-warn">needs your import</span>}
          <Flags job={job} />
          {job.end === 'open' && job.reason && (
            <span class="reason">
              <Pieces text={cut_middle(job.reason, 60)} />
            </span>
          )}
          {progress &&
            progress_words(progress, 'short').map((word) => <span key={word}>{word}</span>)}
        </span>
        {progress && (
          <Bar progress={progress} label={`Progress of ${plain(cut_middle(title, 80))}`} />
        )}
      </div>
      <span class="film-when">
        <Ago at={job.moved_at} />
      </span>
      <button
        type="button"
        class="button small"
        aria-expanded={open}
        aria-controls={files}
        aria-label={`Files of ${plain(cut_middle(title, 80))}`}
        onClick={() => set_open(!open)}
      >
        Files
      </button>
      <div id={files} class="film-files" hidden={!open}>
        {open && <Files job={job} />}
      </div>
    </li>
  );
}

const EVENTS_PAGE = 100;
const PAGES_MAX = 5;

async function read_landing(job: number): Promise<Landing | 'nothing'> {
  const events: JobEvent[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES_MAX && (page === 0 || cursor !== null); ++page) {
    const read: { items: JobEvent[]; next: string | null } = await api.events(job, {
      limit: EVENTS_PAGE,
      cursor,
    });
    events.push(...read.items);
    cursor = read.next === null ? null : String(read.next);
  }
  return landing_of(events) ?? 'nothing';
}

function Files({ job }: { job: Job }) {
  const loaded = useLoad(`landing ${job.id} ${job.seq}`, () => read_landing(job.id));
  if (loaded.error !== null) return <Trouble error={loaded.error} again={loaded.again} />;
  if (!loaded.data) return <Waiting rows={2} />;
  if (loaded.data === 'nothing')
    return (
      <p class="muted">
        {waits_for_hand(job) ? (
          <>
            None of its files is in the library.{' '}
            <a href={`/jobs/${job.id}`}>Say what they are and import them</a>
          </>
        ) : (
          'None of its files is in the library.'
        )}
      </p>
    );
  return <LandedFiles landing={loaded.data} job={job} />;
}

function Nothing({ filtered, viewer }: { filtered: boolean; viewer: boolean }) {
  if (filtered)
    return (
      <div class="empty">
        <h2>No films or series found</h2>
        <p>No film or series matches the filter and the search.</p>
        <a class="button" href="/films">
          Show all films and series
        </a>
      </div>
    );
  return (
    <div class="empty">
      <h2>No films or series yet</h2>
      <p>
        {viewer
          ? 'Films and series appear here when a user adds them.'
          : 'Films and series appear here as soon as you add them.'}
      </p>
      {!viewer && (
        <a class="button primary" href={`/add?as=${FILMS}`}>
          Add a film or series
        </a>
      )}
    </div>
  );
}
