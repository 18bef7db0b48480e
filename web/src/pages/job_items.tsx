// The items of a job, one page at a time; items in progress have their own bars.
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api';
import { bytes } from '../format';
import { useLoad, useProgressEvent, useSoon } from '../hooks';
import { hear } from '../live';
import { LeftIcon, RightIcon } from '../parts/icons';
import { Bar, progress_words, StateName, Trouble } from '../parts/small';
import { Name, Pieces } from '../parts/text';
import { cut_middle, plain } from '../text';
import { url_title } from '../title';
import type { End, Item, Job, Progress, ProgressEvent } from '../types';

type Moving = NonNullable<ProgressEvent['items']>[number];

const PAGE = 25;
const MOVING_MAX = 8;
const STATES: { state: string; end: End; count: (job: Job) => number }[] = [
  { state: 'DOWNLOADING', end: 'open', count: () => -1 },
  { state: 'COMPLETED', end: 'good', count: (job) => job.counts?.completed ?? 0 },
  { state: 'SKIPPED', end: 'good', count: (job) => job.counts?.skipped ?? 0 },
  { state: 'FAILED', end: 'bad', count: (job) => job.counts?.failed ?? 0 },
  { state: 'CANCELLED', end: 'stopped', count: (job) => job.counts?.cancelled ?? 0 },
];
const END_OF: Record<string, End> = {
  PENDING: 'open',
  ...Object.fromEntries(STATES.map((one) => [one.state, one.end])),
};

export function Items({ job }: { job: Job }) {
  const [state, pick] = useState('');
  const [trail, set_trail] = useState<string[]>([]);
  const cursor = trail[trail.length - 1] ?? null;
  const list = useLoad(`${job.id} ${state} ${cursor}`, () =>
    api.items(job.id, { state, limit: PAGE, cursor }),
  );
  const live = useProgressEvent(job.id);
  const soon = useSoon(list.again, 1_500);
  // An item that finishes makes no event of its own, but the set of moving items changes.
  const moving = live?.items?.map((item) => item.n).join(' ') ?? '';
  useEffect(soon, [job.seq, moving, job.counts?.completed, job.counts?.failed]);
  useEffect(() => hear('resync', soon), []);
  const rows = list.data?.items ?? [];
  if (!job.counts?.total && rows.length === 0 && !list.error) return null;
  const paged = cursor !== null || Boolean(list.data?.next);
  const choose = (next: string) => {
    pick(next);
    set_trail([]);
  };
  const filters = STATES.filter(
    (one) => one.count(job) > 0 || (one.state === 'DOWNLOADING' && job.end === 'open'),
  );
  return (
    <section class="panel" aria-label="Items">
      <div class="panel-head">
        <h2 class="panel-title">
          Items{' '}
          {job.counts && <span class="muted num">{job.counts.total.toLocaleString('en')}</span>}
        </h2>
        {filters.length > 1 && (
          <div class="chips" role="group" aria-label="State of the items">
            {['', ...filters.map((one) => one.state)].map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={state === one}
                onClick={() => choose(one)}
              >
                {one ? one.toLowerCase() : 'all'}{' '}
                {(STATES.find((known) => known.state === one)?.count(job) ?? -1) >= 0 && (
                  <span class="count">
                    {STATES.find((known) => known.state === one)!.count(job)}
                  </span>
                )}
              </button>
            ))}
          </div>
        )}
      </div>
      {paged && state === '' && cursor === null && <MovingNow items={live?.items ?? []} />}
      {list.error !== null && <Trouble error={list.error} again={list.again} />}
      <ul class="items">
        {rows.map((item) => (
          <ItemRow
            key={item.n}
            item={item}
            live={live?.items?.find((one) => one.n === item.n) ?? null}
          />
        ))}
        {list.data && rows.length === 0 && (
          <li class="item muted">
            {cursor ? 'There are no more.' : 'No item is in that state now.'}
          </li>
        )}
      </ul>
      {(trail.length > 0 || list.data?.next) && (
        <nav class="pager" aria-label="Pages of items">
          <span class="grow" />
          <button
            type="button"
            class="button small"
            disabled={trail.length === 0}
            onClick={() => set_trail(trail.slice(0, -1))}
          >
            <LeftIcon />
            Before
          </button>
          <button
            type="button"
            class="button small"
            disabled={!list.data?.next}
            onClick={() => set_trail([...trail, String(list.data!.next)])}
          >
            After
            <RightIcon />
          </button>
        </nav>
      )}
    </section>
  );
}

// If the list has several pages, the items in progress may not be on the one that is shown.
function MovingNow({ items }: { items: Moving[] }) {
  if (items.length === 0) return null;
  return (
    <ul class="items moving" aria-label="Moving now">
      {items.slice(0, MOVING_MAX).map((item) => (
        <li key={item.n} class="item end-open">
          <span class="item-n num">{item.n}</span>
          <span class="item-name">
            <Name text={item.name || `Item ${item.n}`} />
          </span>
          <span class="item-progress">
            <ItemBar progress={item} name={item.name || `item ${item.n}`} />
          </span>
        </li>
      ))}
      {items.length > MOVING_MAX && (
        <li class="item muted">and {items.length - MOVING_MAX} more</li>
      )}
    </ul>
  );
}

function ItemBar({ progress, name }: { progress: Progress; name: string }) {
  return (
    <>
      <Bar progress={progress} label={`Progress of ${plain(cut_middle(name, 60))}`} />
      <span class="sub num">
        {progress_words(progress, 'short').map((word, index) => (
          <span key={index}>{word}</span>
        ))}
      </span>
    </>
  );
}

// A file's name: its path, else the engine's name for it, else its address.
function name_of(item: Item, live: string | null | undefined): string {
  const address = item.key || item.url;
  return item.path?.split('/').pop() || live || (address ? url_title(address) : `Item ${item.n}`);
}

function ItemRow({ item, live }: { item: Item; live: Moving | null }) {
  const moving = item.state === 'DOWNLOADING';
  const progress = moving ? (live ?? item.progress ?? null) : null;
  const size = item.size ?? item.have;
  const name = name_of(item, live?.name);
  return (
    <li class={`item end-${END_OF[item.state] ?? 'open'}`}>
      <span class="item-n num">{item.n}</span>
      <span class="item-name">
        <Name text={name} />
      </span>
      <span class="item-state">
        <StateName state={item.state} end={END_OF[item.state] ?? 'open'} busy={moving} />
      </span>
      <span class="item-size num">{!progress && size ? bytes(size) : ''}</span>
      {progress && (
        <span class="item-progress">
          <ItemBar progress={progress} name={name} />
        </span>
      )}
      {item.reason && (
        <span class="item-why">
          <code class="code">
            <Pieces text={cut_middle(item.reason, 60)} />
          </code>
          {item.detail && (
            <>
              {' '}
              <Pieces text={cut_middle(item.detail, 200)} />
            </>
          )}
        </span>
      )}
    </li>
  );
}
