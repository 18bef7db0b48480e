// Small hooks that the pages share.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { sentence } from './api';
import { hear, latest_progress, link_now, watch, type Link } from './live';
import { forget_tables, lifecycles } from './tables';
import { Turns } from './turns';
import type { Lifecycle, Progress, ProgressEvent } from './types';

export interface Loaded<T> {
  data: T | null;
  error: unknown;
  loading: boolean;
  again: () => void;
}

// The last answers, so that the back button shows the earlier content at once.
const kept = new Map<string, unknown>();
const KEPT_MAX = 20;

function keep(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, data);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
}

// Loads when `key` changes and on again(). The last answer stays until the next one arrives; an
// answer that arrives after its key has changed is dropped.
export function useLoad<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, set] = useState<{ key: string; data: T | null; error: unknown; loading: boolean }>(
    () => ({ key, data: (kept.get(key) as T | undefined) ?? null, error: null, loading: true }),
  );
  const current = useRef({ key, load, turns: new Turns() });
  current.current.key = key;
  current.current.load = load;
  const again = useCallback(() => {
    const { key: asked, turns, load: load_now } = current.current;
    const turn = turns.begin(asked);
    if (turn === null) return;
    set((was) => ({ ...was, loading: true }));
    const end = (show: () => void) => {
      const { counts, another } = turns.end(turn);
      if (counts) show();
      if (another) again();
    };
    load_now().then(
      (data) =>
        end(() => {
          keep(asked, data);
          set({ key: asked, data, error: null, loading: false });
        }),
      (error: unknown) =>
        end(() =>
          set((was) => ({
            key: asked,
            data: was.key === asked ? was.data : null,
            error,
            loading: false,
          })),
        ),
    );
  }, []);
  useEffect(() => {
    again();
  }, [key]);
  useEffect(() => () => current.current.turns.stop(), []);
  return { data: state.data, error: state.error, loading: state.loading, again };
}

// Runs `call` soon, at most once per `every_ms`, and never in a hidden tab.
export function useSoon(call: () => void, every_ms: number): () => void {
  const held = useRef({ call, timer: 0, last: 0, hidden: false });
  held.current.call = call;
  useEffect(() => {
    const seen = () => {
      if (document.hidden || !held.current.hidden) return;
      held.current.hidden = false;
      held.current.call();
    };
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      clearTimeout(held.current.timer);
      held.current.timer = 0;
    };
  }, []);
  return useCallback(() => {
    const now = held.current;
    if (document.hidden) now.hidden = true;
    if (document.hidden || now.timer) return;
    now.timer = window.setTimeout(
      () => {
        now.timer = 0;
        now.last = Date.now();
        now.call();
      },
      Math.max(120, now.last + every_ms - Date.now()),
    );
  }, [every_ms]);
}

export function useProgressEvent(job: number): ProgressEvent | null {
  const [heard, set] = useState(() => latest_progress(job));
  useEffect(() => {
    set(latest_progress(job));
    const stop_progress = watch(job, set);
    const stop_event = hear('event', (event) => event.job === job && event.to && set(null));
    return () => {
      stop_progress();
      stop_event();
    };
  }, [job]);
  return heard;
}

export function useProgress(job: number, fetched: Progress | null, open: boolean): Progress | null {
  const heard = useProgressEvent(job);
  return open ? (heard ?? fetched) : null;
}

export function useLink(): Link {
  const [link, set] = useState(link_now);
  useEffect(() => hear('link', set), []);
  return link;
}

// Called at logout: the next user must not see this user's data.
export function forget_all(): void {
  forget_tables();
  kept.clear();
}

const NONE: Lifecycle[] = [];

export function useLifecycles(): { tables: Lifecycle[]; error: string | null } {
  const { data, error, again } = useLoad('lifecycles', lifecycles);
  useEffect(() => hear('resync', again), []);
  return { tables: data ?? NONE, error: error ? sentence(error) : null };
}

// One timer for all relative times on the page.
const ticks = new Set<() => void>();
let ticking = 0;

export function useNow(): number {
  const [now, set] = useState(Date.now);
  useEffect(() => {
    const tick = () => set(Date.now());
    ticks.add(tick);
    ticking ||= window.setInterval(() => ticks.forEach((one) => one()), 1_000);
    return () => {
      ticks.delete(tick);
      if (ticks.size) return;
      clearInterval(ticking);
      ticking = 0;
    };
  }, []);
  return now;
}

export function useMedia(query: string): boolean {
  const [matches, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const read = () => set(list.matches);
    read();
    list.addEventListener('change', read);
    return () => list.removeEventListener('change', read);
  }, [query]);
  return matches;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · haul` : 'haul';
  }, [title]);
}
