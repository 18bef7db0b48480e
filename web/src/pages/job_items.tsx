// The items of a job, one page at a time; items in progress have their own bars.
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api';
import { bytes } from '../format';
import { useLoad, useProgressEvent, useSoon } from '../hooks';
import { can_replace_link, filters_of, is_moving, table_of } from '../items';
import { hear } from '../live';
import { LeftIcon, RightIcon } from '../parts/icons';
import { waits_for_retry } from '../outcome';
import { Bar, StateName, Trouble } from '../parts/small';
import { item_words } from '../progress';
import { Name, Pieces } from '../parts/text';
import { cut_middle, plain } from '../text';
import { url_title } from '../title';
import type { Item, ItemProgress, Job, Lifecycle, Progress, User } from '../types';
import { may_add } from '../who';
import { ItemLink } from './job_item_link';
import { Receipt } from './job_receipt';

const PAGE = 25;
const MOVING_MAX = 8;

export function Items({ job, tables, user }: { job: Job; tables: Lifecycle[]; user: User }) {
  const [state, pick] = useState('');
  const [trail, set_trail] = useState<string[]>([]);
  const cursor = trail[trail.length - 1] ?? null;
  const list = useLoad(`${job.id} ${state} ${cursor}`, () =>
    api.items(job.id, { state, limit: PAGE, cursor }),
  );
  const live = useProgressEvent(job.id);
  const soon = useSoon(list.again, 1_500);
  // An item that finishes causes no event of its own, but the set of running items changes.
  const moving = live?.items.map((item) => item.n).join(' ') ?? '';
  useEffect(soon, [job.seq, moving, job.counts.completed, job.counts.failed]);
  useEffect(() => hear('resync', soon), []);
  const rows = list.data?.items ?? [];
  if (!job.counts.total && rows.length === 0 && !list.error) return null;
  const paged = cursor !== null || Boolean(list.data?.next);
  const choose = (next: string) => {
    pick(next);
    set_trail([]);
  };
  const table = table_of(rows, tables);
  const filters = filters_of(table, job.counts, job.end === 'open');
  return (
    <section class="panel" aria-label="Items">
      <div class="panel-head">
        <h2 class="panel-title">
          Items <span class="muted num">{job.counts.total.toLocaleString('en')}</span>
        </h2>
        {filters.length > 1 && (
          <div class="chips" role="group" aria-label="State of the items">
            {[{ state: '', count: null }, ...filters].map((one) => (
              <button
                key={one.state}
                type="button"
                aria-pressed={state === one.state}
                onClick={() => choose(one.state)}
              >
                {one.state ? one.state.toLowerCase() : 'all'}{' '}
                {one.count !== null && <span class="count">{one.count}</span>}
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
            live={live?.items.find((one) => one.n === item.n) ?? null}
            moving={is_moving(item.state, table)}
            job={may_add(user) ? job.id : null}
          />
        ))}
        {list.data && rows.length === 0 && (
          <li class="item muted">{cursor ? 'No more items.' : 'No item is in this state.'}</li>
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
            Previous
          </button>
          <button
            type="button"
            class="button small"
            disabled={!list.data?.next}
            onClick={() => set_trail([...trail, String(list.data!.next)])}
          >
            Next
            <RightIcon />
          </button>
        </nav>
      )}
    </section>
  );
}

// The items in progress, because they may be on another page of the list.
function MovingNow({ items }: { items: ItemProgress[] }) {
  if (items.length === 0) return null;
  return (
    <ul class="items moving" aria-label="In progress">
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
        {item_words(progress).map((word, index) => (
          <span key={index}>{word}</span>
        ))}
      </span>
    </>
  );
}

// A file's name: from its path, else from the engine, else from its URL.
function name_of(item: Item, live: string | null | undefined): string {
  const address = item.key || item.url;
  return item.path?.split('/').pop() || live || (address ? url_title(address) : `Item ${item.n}`);
}

interface RowProps {
  item: Item;
  live: ItemProgress | null;
  moving: boolean;
  job: number | null; // Null if the user may change nothing of it.
}

function ItemRow({ item, live, moving, job }: RowProps) {
  const progress = moving ? (live ?? item.progress) : null;
  const size = item.size ?? item.have;
  const name = name_of(item, live?.name);
  const waits = waits_for_retry(progress);
  return (
    <li class={`item end-${item.end}`}>
      <span class="item-n num">{item.n}</span>
      <span class="item-name">
        <Name text={name} />
      </span>
      <span class="item-state">
        <StateName
          state={waits ? 'waiting to try again' : item.state}
          end={item.end}
          busy={moving && !waits}
        />
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
      <Receipt item={item} />
      {job !== null && can_replace_link(item) && (
        <ItemLink job={job} item={item} name={plain(cut_middle(name, 60))} />
      )}
    </li>
  );
}
