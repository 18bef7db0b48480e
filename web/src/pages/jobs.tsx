// The list of jobs: filters with counts, search, one page of rows, and what can be done with many.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, query_of } from '../api';
import type { Action } from '../bulk';
import { facets } from '../facets';
import { plural } from '../format';
import { useLifecycles, useLoad, useSoon, useTitle } from '../hooks';
import { is_shortcut } from '../keys';
import { hear } from '../live';
import { CrossIcon, LeftIcon, RightIcon, SearchIcon } from '../parts/icons';
import { Trouble, Waiting } from '../parts/small';
import { go } from '../route';
import { announce } from '../say';
import { plain, cut_middle } from '../text';
import { title_of } from '../title';
import type { Job, JobEvent, Stats, User } from '../types';
import { may_add } from '../who';
import { BulkDialog } from './jobs_bulk';
import { EndTabs, LifecycleFacet, type Chosen } from './jobs_facets';
import { JobRow } from './jobs_row';

const PAGE = 50;
const SELECTED_MAX = 500;

function chosen_of(search: string): Chosen {
  const params = new URLSearchParams(search);
  const get = (name: string) => params.get(name) ?? '';
  return { lifecycle: get('lifecycle'), state: get('state'), end: get('end'), stuck: get('stuck') === 'true', q: get('q'), cursor: get('cursor') };
}

export const path_of = (chosen: Partial<Chosen>) => `/jobs${query_of({ ...chosen, stuck: chosen.stuck || undefined })}`;

// Where a job's page leads back to: the list as it was last looked at.
let last_search = '';
let last_scroll = 0;
export const list_path = () => `/jobs${last_search}`;

// The pages before this one, so that there is a way back; a keyset cursor only leads on.
let before: string[] = [];

export function JobsPage({ search, user }: { search: string; user: User }) {
  useTitle('Jobs');
  const chosen = useMemo(() => chosen_of(search), [search]);
  useBackAt(search);
  const { tables } = useLifecycles();
  const list = useLoad(`jobs ${search}`, () => api.jobs({ ...chosen, limit: PAGE, stuck: chosen.stuck || undefined }));
  const stats = useLoad<Stats>('stats', api.stats);
  const [selected, select] = useState<ReadonlyMap<number, Job>>(new Map());
  const [action, act] = useState<Action | null>(null);
  const refresh = () => {
    list.again();
    stats.again();
  };
  useFollow(refresh, list.data?.items ?? []);
  useListKeys(select);
  const jobs = list.data?.items ?? [];
  useEffect(() => keep_fresh(select, jobs), [list.data]);

  const counted = facets(stats.data?.jobs ?? [], tables.filter((one) => one.request?.length), chosen);
  const pick = (change: Partial<Chosen>) => {
    before = [];
    go(path_of({ ...chosen, cursor: '', ...change }));
  };
  const toggle = (job: Job) => select((was) => toggled(was, job));
  const filtered = Boolean(chosen.lifecycle || chosen.state || chosen.end || chosen.q || chosen.stuck);
  return (
    <div class="jobs">
      <h1 class="hidden">Jobs</h1>
      <aside class="rail" aria-label="Filters">
        <LifecycleFacet counted={counted} chosen={chosen} pick={pick} />
        {stats.data && <p class="rail-foot">{plural(stats.data.workers ?? 0, 'worker')} · {stats.data.version}</p>}
      </aside>
      <section class="list" aria-label="Jobs">
        <div class="list-head">
          <EndTabs counted={counted} stuck={stats.data?.stuck ?? 0} chosen={chosen} pick={pick} />
          <Search q={chosen.q} pick={pick} />
        </div>
        {list.error !== null && <Trouble error={list.error} again={refresh} />}
        {!list.data && list.loading && <Waiting rows={10} />}
        {list.data && jobs.length === 0 && <Nothing filtered={filtered} viewer={!may_add(user)} />}
        {jobs.length > 0 && (
          <Table jobs={jobs} selected={selected} toggle={toggle} user={user}
            toggle_all={() => select((was) => toggled_all(was, jobs))} />
        )}
        <Pager chosen={chosen} next={list.data?.next ? String(list.data.next) : null} />
      </section>
      {selected.size > 0 && (
        <div class="bulk" role="region" aria-label="Selected jobs">
          <strong class="num">{selected.size.toLocaleString('en')} selected</strong>
          <span class="grow" />
          <button type="button" class="button" onClick={() => act('retry')}>Retry…</button>
          <button type="button" class="button danger" onClick={() => act('cancel')}>Cancel…</button>
          <button type="button" class="button ghost square" aria-label="Clear the selection" onClick={() => select(new Map())}><CrossIcon /></button>
        </div>
      )}
      {action && (
        <BulkDialog action={action} jobs={[...selected.values()]} tables={tables}
          onClose={(done) => {
            act(null);
            if (done) select(new Map());
            if (done) refresh();
          }} />
      )}
    </div>
  );
}

// Coming back to the same list shows the same place of it.
function useBackAt(search: string): void {
  const came_back = useRef(search === last_search);
  last_search = search;
  useLayoutEffect(() => {
    if (came_back.current) window.scrollTo(0, last_scroll);
    const read = () => { last_scroll = window.scrollY; };
    window.addEventListener('scroll', read, { passive: true });
    return () => window.removeEventListener('scroll', read);
  }, []);
}

function toggled(was: ReadonlyMap<number, Job>, job: Job): ReadonlyMap<number, Job> {
  const next = new Map(was);
  if (!next.delete(job.id) && next.size < SELECTED_MAX) next.set(job.id, job);
  return next;
}

function toggled_all(was: ReadonlyMap<number, Job>, jobs: Job[]): ReadonlyMap<number, Job> {
  const next = new Map(was);
  if (jobs.every((job) => next.has(job.id))) jobs.forEach((job) => next.delete(job.id));
  else jobs.forEach((job) => next.size < SELECTED_MAX && next.set(job.id, job));
  return next;
}

// The preview must speak of the jobs as they are now.
function keep_fresh(select: (change: (was: ReadonlyMap<number, Job>) => ReadonlyMap<number, Job>) => void, jobs: Job[]): void {
  select((was) => {
    if (!jobs.some((job) => was.has(job.id))) return was;
    const next = new Map(was);
    for (const job of jobs) if (next.has(job.id)) next.set(job.id, job);
    return next;
  });
}

// Moves change what the filters and counts say, so the page is fetched again, at most once a second.
function useFollow(refresh: () => void, jobs: Job[]): void {
  const soon = useSoon(refresh, 1_000);
  const shown = useRef(jobs);
  shown.current = jobs;
  useEffect(() => {
    const moved = (event: JobEvent) => {
      soon();
      const job = shown.current.find((one) => one.id === event.job);
      if (job && event.to) tell_end(job, event.to);
    };
    const stops = [hear('event', moved), hear('resync', soon)];
    return () => stops.forEach((stop) => stop());
  }, [soon]);
}

let told_ms = 0;

// Not every move of fifty rows is worth reading out.
function tell_end(job: Job, to: string): void {
  if (Date.now() - told_ms < 3_000) return;
  told_ms = Date.now();
  announce(`${plain(cut_middle(title_of(job), 60))}: ${to}`);
}

function useListKeys(select: (to: ReadonlyMap<number, Job>) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) select(new Map());
      if (!is_shortcut(event)) return;
      if (event.key === '/') {
        event.preventDefault();
        document.querySelector<HTMLInputElement>('#search')?.focus();
      }
      const row = (event.target as Element | null)?.closest('.row');
      if (event.key === 'x') row?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
      if (event.key !== 'j' && event.key !== 'k') return;
      const links = [...document.querySelectorAll<HTMLElement>('.row .row-link')];
      const here = row ? links.findIndex((link) => row.contains(link)) : -1;
      const next = event.key === 'j' ? Math.min(links.length - 1, here + 1) : Math.max(0, here - 1);
      links[next]?.focus();
      links[next]?.closest('.row')?.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function Search({ q, pick }: { q: string; pick: (change: Partial<Chosen>) => void }) {
  const [text, set] = useState(q);
  const timer = useRef(0);
  const held = useRef(pick);
  held.current = pick;
  useEffect(() => {
    if (!timer.current) set(q);
  }, [q]);
  const change = (value: string) => {
    set(value);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      timer.current = 0;
      held.current({ q: value.trim() });
    }, 250);
  };
  return (
    <label class="search">
      <span class="hidden">Search the jobs</span>
      <SearchIcon />
      <input id="search" class="input" type="search" placeholder="Search" autocomplete="off" spellcheck={false} value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && (change(''), event.currentTarget.blur())} />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

interface TableProps {
  jobs: Job[];
  selected: ReadonlyMap<number, Job>;
  toggle: (job: Job) => void;
  toggle_all: () => void;
  user: User;
}

function Table({ jobs, selected, toggle, toggle_all, user }: TableProps) {
  const can_select = may_add(user);
  const all = jobs.every((job) => selected.has(job.id));
  const some = !all && jobs.some((job) => selected.has(job.id));
  return (
    <table class="table" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" class="cell-select">
            {can_select && <input type="checkbox" aria-label="Select all on this page" checked={all} ref={(box) => { if (box) box.indeterminate = some; }} onChange={toggle_all} />}
          </th>
          <th role="columnheader">Job</th>
          <th role="columnheader">State</th>
          <th role="columnheader">Progress</th>
          <th role="columnheader" class="cell-when">Moved</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {jobs.map((job) => <JobRow key={job.id} job={job} selected={selected.has(job.id)} toggle={toggle} user={user} can_select={can_select} />)}
      </tbody>
    </table>
  );
}

function Nothing({ filtered, viewer }: { filtered: boolean; viewer: boolean }) {
  if (filtered)
    return (
      <div class="empty">
        <h2>No job is like that</h2>
        <p>Nothing matches the filters and the search.</p>
        <a class="button" href="/jobs">Show all jobs</a>
      </div>
    );
  return (
    <div class="empty">
      <h2>No jobs yet</h2>
      <p>{viewer ? 'When somebody adds one, it appears here.' : 'Paste a link and watch it arrive.'}</p>
      {!viewer && <a class="button primary" href="/add">Add a link</a>}
    </div>
  );
}

function Pager({ chosen, next }: { chosen: Chosen; next: string | null }) {
  if (!chosen.cursor && !next) return null;
  const back = () => go(path_of({ ...chosen, cursor: before.pop() ?? '' }));
  const on = () => {
    before.push(chosen.cursor);
    go(path_of({ ...chosen, cursor: next ?? '' }));
    window.scrollTo(0, 0);
  };
  return (
    <nav class="pager" aria-label="Pages of the list">
      {chosen.cursor && <a class="button ghost" href={path_of({ ...chosen, cursor: '' })}>Newest</a>}
      <span class="grow" />
      <button type="button" class="button" disabled={!chosen.cursor} onClick={back}><LeftIcon />Newer</button>
      <button type="button" class="button" disabled={!next} onClick={on}>Older<RightIcon /></button>
    </nav>
  );
}
