// The parts of the jobs page around its rows: search, table, and the text for an empty list.
import { useEffect, useRef, useState } from 'preact/hooks';
import { query_of } from '../api';
import { plural } from '../format';
import { SearchIcon } from '../parts/icons';
import type { Job, User } from '../types';
import { may_add } from '../who';
import type { Chosen } from './jobs_facets';
import { JobRow } from './jobs_row';
import type { Selected } from './jobs_select';

export function chosen_of(search: string): Chosen {
  const params = new URLSearchParams(search);
  const get = (name: string) => params.get(name) ?? '';
  return {
    lifecycle: get('lifecycle'),
    state: get('state'),
    end: get('end'),
    outcome: get('outcome'),
    stuck: get('stuck') === 'true',
    category: get('category'),
    q: get('q'),
    sort: get('sort'),
    cursor: get('cursor'),
  };
}

export const path_of = (chosen: Partial<Chosen>) =>
  `/jobs${query_of({ ...chosen, stuck: chosen.stuck || undefined })}`;

interface SearchProps {
  q: string;
  pick: (change: { q: string }) => void;
  label?: string;
}

export function Search({ q, pick, label = 'Search the jobs' }: SearchProps) {
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
      <span class="hidden">{label}</span>
      <SearchIcon />
      <input
        id="search"
        class="input"
        type="search"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && (change(''), event.currentTarget.blur())}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

const SORTS = [
  { value: '', word: 'newest' },
  { value: 'moved', word: 'last moved' },
  { value: 'ended', word: 'last ended' },
  { value: 'priority', word: 'priority, open jobs' },
];

export function Sort({ sort, pick }: { sort: string; pick: (change: { sort: string }) => void }) {
  return (
    <label class="sort">
      <span class="hidden">Order of the jobs</span>
      <select
        class="input"
        value={sort}
        onChange={(event) => pick({ sort: event.currentTarget.value })}
      >
        {SORTS.map((one) => (
          <option key={one.value} value={one.value}>
            {one.word}
          </option>
        ))}
      </select>
    </label>
  );
}

interface TableProps {
  jobs: Job[];
  selected: Selected;
  toggle: (job: Job) => void;
  toggle_all: () => void;
  user: User;
}

export function Table({ jobs, selected, toggle, toggle_all, user }: TableProps) {
  const can_select = may_add(user);
  const all = jobs.every((job) => selected.has(job.id));
  const some = !all && jobs.some((job) => selected.has(job.id));
  return (
    <table class="table" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" class="cell-select">
            {can_select && (
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={all}
                ref={(box) => {
                  if (box) box.indeterminate = some;
                }}
                onChange={toggle_all}
              />
            )}
          </th>
          <th role="columnheader">Job</th>
          <th role="columnheader">State</th>
          <th role="columnheader">Progress</th>
          <th role="columnheader" class="cell-when">
            Moved
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {jobs.map((job) => (
          <JobRow
            key={job.id}
            job={job}
            selected={selected.has(job.id)}
            toggle={toggle}
            user={user}
            can_select={can_select}
          />
        ))}
      </tbody>
    </table>
  );
}

interface SearchedProps {
  searched: number;
  found: number;
  noun: string;
  on: string;
}

// The search has not reached the last row, so it cannot say that nothing else matches.
export function SearchedSoFar({ searched, found, noun, on }: SearchedProps) {
  return (
    <div class="empty">
      <h2>{found ? `${plural(found, noun)} found so far` : 'Nothing found so far'}</h2>
      <p>
        {searched > 0 && `Searched ${plural(searched, noun)} so far. `}
        More are left.
      </p>
      <a class="button" href={on}>
        Search on
      </a>
    </div>
  );
}

export function Nothing({ filtered, viewer }: { filtered: boolean; viewer: boolean }) {
  if (filtered)
    return (
      <div class="empty">
        <h2>No jobs found</h2>
        <p>No job matches the filters and the search.</p>
        <a class="button" href="/jobs">
          Show all jobs
        </a>
      </div>
    );
  return (
    <div class="empty">
      <h2>No jobs yet</h2>
      <p>
        {viewer ? 'Jobs appear here when a user adds them.' : 'Paste a link and watch it arrive.'}
      </p>
      {!viewer && (
        <a class="button primary" href="/add">
          Add a link
        </a>
      )}
    </div>
  );
}
