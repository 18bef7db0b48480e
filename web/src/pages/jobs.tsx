// The list of jobs: filters with counts, search, one page of rows, and bulk actions.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api, type JobMatch } from '../api';
import type { Action } from '../bulk';
import { categories_of } from '../categories';
import { facets } from '../facets';
import { useLifecycles, useLoad, useTitle } from '../hooks';
import { CrossIcon } from '../parts/icons';
import { Pager } from '../parts/pager';
import { Restored } from '../parts/restored';
import { Trouble, Waiting } from '../parts/small';
import { go } from '../route';
import { filled } from '../search';
import type { Job, Stats, User } from '../types';
import { may_add } from '../who';
import { BulkDialog } from './jobs_bulk';
import { CategoryFacet, LifecycleFacet, OutcomeTabs, type Chosen } from './jobs_facets';
import { useBackAt, useFollow, useListKeys } from './jobs_hooks';
import { MatchingDialog } from './jobs_matching';
import { chosen_of, Nothing, path_of, Search, SearchedSoFar, Sort, Table } from './jobs_parts';
import { keep_fresh, toggled, toggled_all, type Selected } from './jobs_select';
import { WorkersFoot } from './jobs_workers';

const PAGE = 50;

// The filters of the list without its order and its page, as a bulk action takes them.
function match_of({ lifecycle, state, end, outcome, stuck, category, q }: Chosen): JobMatch {
  const all = { lifecycle, state, end, outcome, category, q };
  const words = Object.entries(all).filter(([, word]) => word);
  return { ...Object.fromEntries(words), ...(stuck ? { stuck } : {}) };
}

export function JobsPage({ search, user }: { search: string; user: User }) {
  useTitle('Jobs');
  const chosen = useMemo(() => chosen_of(search), [search]);
  useBackAt(search);
  const { tables } = useLifecycles();
  const list = useLoad(`jobs ${search}`, () =>
    filled((page) => api.jobs({ ...chosen, ...page, stuck: chosen.stuck || undefined }), {
      cursor: chosen.cursor,
      limit: PAGE,
    }),
  );
  const stats = useLoad<Stats>('stats', api.stats);
  const [selected, select] = useState<Selected>(new Map());
  const [action, act] = useState<Action | null>(null);
  const [matching, match] = useState(false); // All that match the filter, not the selected ones.
  useEffect(() => match(false), [search]);
  const refresh = () => {
    list.again();
    stats.again();
  };
  useFollow(refresh, list.data?.items ?? []);
  useListKeys(select);
  const jobs = list.data?.items ?? [];
  useEffect(() => keep_fresh(select, jobs), [list.data]);

  const counted = facets(
    stats.data?.jobs ?? [],
    tables.filter((one) => one.request.length),
    chosen,
  );
  const pick = (change: Partial<Chosen>) => go(path_of({ ...chosen, cursor: '', ...change }));
  const toggle = (job: Job) => select((was) => toggled(was, job));
  const filtered = Boolean(
    chosen.lifecycle ||
      chosen.state ||
      chosen.end ||
      chosen.outcome ||
      chosen.category ||
      chosen.q ||
      chosen.stuck,
  );
  return (
    <div class="jobs">
      <h1 class="hidden">Jobs</h1>
      <aside class="rail" aria-label="Filters">
        <LifecycleFacet counted={counted} chosen={chosen} pick={pick} />
        <CategoryFacet categories={categories_of(tables)} chosen={chosen} pick={pick} />
        {stats.data && <WorkersFoot stats={stats.data} user={user} />}
      </aside>
      <section class="list" aria-label="Jobs">
        <div class="list-head">
          <OutcomeTabs
            counted={counted}
            stuck={stats.data?.stuck ?? 0}
            chosen={chosen}
            pick={pick}
          />
          <Search q={chosen.q} pick={pick} />
          <Sort sort={chosen.sort} pick={pick} />
        </div>
        {stats.data?.restored_at && (
          <Restored at={stats.data.restored_at} user={user} done={refresh} />
        )}
        {list.error !== null && <Trouble error={list.error} again={refresh} />}
        {!list.data && list.loading && <Waiting rows={10} />}
        {list.data && jobs.length === 0 && !list.data.next && (
          <Nothing filtered={filtered} viewer={!may_add(user)} />
        )}
        {jobs.length > 0 && (
          <Table
            jobs={jobs}
            selected={selected}
            toggle={toggle}
            user={user}
            toggle_all={() => select((was) => toggled_all(was, jobs))}
          />
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
          list="jobs"
          cursor={chosen.cursor}
          next={list.data?.next ? String(list.data.next) : null}
          path={(cursor) => path_of({ ...chosen, cursor })}
          words={{ first: 'Newest', back: 'Newer', on: 'Older' }}
        />
      </section>
      {selected.size > 0 && (
        <div class="bulk" role="region" aria-label="Selected jobs">
          <strong class="num">
            {matching ? 'All that match' : `${selected.size.toLocaleString('en')} selected`}
          </strong>
          {!matching && (list.data?.next || chosen.cursor) && (
            <button type="button" class="button ghost" onClick={() => match(true)}>
              Select all that match
            </button>
          )}
          <span class="grow" />
          <button type="button" class="button" onClick={() => act('retry')}>
            Retry…
          </button>
          <button type="button" class="button danger" onClick={() => act('cancel')}>
            Cancel…
          </button>
          <button type="button" class="button danger" onClick={() => act('delete')}>
            Delete…
          </button>
          <button
            type="button"
            class="button ghost square"
            aria-label="Clear the selection"
            onClick={() => {
              select(new Map());
              match(false);
            }}
          >
            <CrossIcon />
          </button>
        </div>
      )}
      {action && matching && (
        <MatchingDialog
          action={action}
          filter={match_of(chosen)}
          onClose={(done) => {
            act(null);
            if (!done) return;
            match(false);
            select(new Map());
            refresh();
          }}
        />
      )}
      {action && !matching && (
        <BulkDialog
          action={action}
          jobs={[...selected.values()]}
          tables={tables}
          onClose={(done) => {
            act(null);
            if (done) select(new Map());
            if (done) refresh();
          }}
        />
      )}
    </div>
  );
}
