// All events of the job, oldest first; new ones appear at the end.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api';
import { clock, duration } from '../format';
import { hear } from '../live';
import { Trouble } from '../parts/small';
import { Pieces } from '../parts/text';
import { cut_middle, plain } from '../text';
import type { JobEvent, Json } from '../types';

const PAGE = 100;
const PAGES_AT_ONCE = 5;
const KEPT_MAX = 2_000;

export interface Events {
  items: JobEvent[];
  more: boolean;
  error: unknown;
  load: () => void;
}

function joined(was: JobEvent[], more: JobEvent[]): JobEvent[] {
  const by_id = new Map([...was, ...more].map((event) => [event.id, event]));
  return [...by_id.values()].sort((a, b) => a.id - b.id).slice(-KEPT_MAX);
}

interface Read {
  items: JobEvent[];
  next: string | null;
  error: unknown;
}

async function read_on(job: number, from: Read): Promise<Read> {
  let now = from;
  for (let pages = 0; pages < PAGES_AT_ONCE; ++pages) {
    const page = await api.events(job, { limit: PAGE, cursor: now.next });
    const next = page.next === null ? null : String(page.next);
    now = { items: joined(now.items, page.items), next, error: null };
    if (next === null) break;
  }
  return now;
}

export function useEvents(job: number): Events {
  const [state, set] = useState<Read>({ items: [], next: null, error: null });
  const gone = useRef(false);
  const load = (from: Read) =>
    read_on(job, from).then(
      (read) => gone.current || set((was) => ({ ...read, items: joined(was.items, read.items) })),
      (error: unknown) => gone.current || set((was) => ({ ...was, error })),
    );
  useEffect(() => {
    gone.current = false;
    const start = () => void load({ items: [], next: null, error: null });
    start();
    const stops = [
      // While older events are still unread, drops a live event: it is read later, in order.
      hear('event', (event) => {
        if (event.job !== job) return;
        set((was) => (was.next ? was : { ...was, items: joined(was.items, [event]) }));
      }),
      hear('resync', start),
    ];
    return () => {
      gone.current = true;
      stops.forEach((stop) => stop());
    };
  }, [job]);
  return {
    items: state.items,
    more: state.next !== null,
    error: state.error,
    load: () => void load(state),
  };
}

export function Timeline({ events }: { events: Events }) {
  return (
    <section class="panel" aria-label="Timeline">
      <h2 class="panel-title">Timeline</h2>
      {events.error !== null && <Trouble error={events.error} again={events.load} />}
      <ol class="timeline">
        {events.items.map((event, index) => (
          <Entry key={event.id} event={event} before={events.items[index - 1]} />
        ))}
      </ol>
      {events.more && (
        <button type="button" class="button small wide" onClick={events.load}>
          Show later events
        </button>
      )}
    </section>
  );
}

function Entry({ event, before }: { event: JobEvent; before: JobEvent | undefined }) {
  const gap_s = before ? (Date.parse(event.at) - Date.parse(before.at)) / 1000 : 0;
  const data = words_of(event.data);
  return (
    <li class={event.from && event.to ? 'entry entry-move' : 'entry'}>
      <span class="entry-what">
        {event.from && event.to ? (
          <>
            <span class="muted">
              <Pieces text={event.from ?? ''} /> →{' '}
            </span>
            <strong>
              <Pieces text={event.to} />
            </strong>
          </>
        ) : (
          <span class="entry-note">
            <Pieces text={note_name(event.type)} />
          </span>
        )}
        {event.on && (
          <span class="muted">
            {' '}
            {event.on}
            {event.by && event.by !== 'worker' ? ` by ${event.by}` : ''}
          </span>
        )}
      </span>
      <time class="entry-at num" dateTime={event.at} title={clock(event.at)}>
        {before ? `+${duration(gap_s)}` : clock(event.at).slice(5, 16)}
      </time>
      {(event.reason || data) && (
        <span class="entry-more">
          {event.reason && (
            <code class="code">
              <Pieces text={cut_middle(event.reason, 80)} />
            </code>
          )}
          {data && (
            <bdi title={plain(cut_middle(data, 600))}>
              <Pieces text={cut_middle(data, 300)} />
            </bdi>
          )}
        </span>
      )}
    </li>
  );
}

function note_name(type: string): string {
  return type.toLowerCase().replace(/_/g, ' ');
}

// The data is an object, or JSON text of one. Shows a `text` or `message` without its name.
export function words_of(data: Json): string {
  let value = data;
  if (typeof value === 'string') {
    try {
      value = JSON.parse(value) as Json;
    } catch {
      return String(data);
    }
  }
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return JSON.stringify(value);
  return Object.entries(value)
    .filter(([, one]) => one !== null)
    .map(([name, one]) =>
      name === 'text' || name === 'message' ? String(one) : `${name} ${word_of(one as Json)}`,
    )
    .join(' · ');
}

// Of a list only how long it is: its entries are shown elsewhere, or are too many.
function word_of(one: Json): string {
  if (Array.isArray(one)) return String(one.length);
  return typeof one === 'object' ? words_of(one) : String(one);
}
