// The live stream: one EventSource for the whole page, which passes events to listeners. Keeps only
// data that a reload can fetch again.
import type { JobEvent, ProgressEvent } from './types';

export type Link = 'off' | 'live' | 'lost';

interface Heard {
  event: JobEvent; // A move or a note.
  resync: null; // Events may be missing: fetch everything on screen again.
  link: Link;
}

type Name = keyof Heard;
const listeners: { [K in Name]: Set<(heard: Heard[K]) => void> } = {
  event: new Set(),
  resync: new Set(),
  link: new Set(),
};

export function hear<K extends Name>(name: K, call: (heard: Heard[K]) => void): () => void {
  listeners[name].add(call);
  return () => listeners[name].delete(call);
}

function tell<K extends Name>(name: K, heard: Heard[K]): void {
  for (const call of [...listeners[name]]) call(heard);
}

const LOST_AFTER_MS = 1_500; // The page does not show shorter gaps.
const REST_AFTER_MS = 60_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000];

let source: EventSource | null = null;
let link: Link = 'off';
let lost_timer = 0;
let retry_timer = 0;
let retries = 0;

export const link_now = (): Link => link;

function set_link(next: Link): void {
  if (next === link) return;
  link = next;
  tell('link', next);
}

function parsed<T>(message: Event): T | null {
  try {
    return JSON.parse((message as MessageEvent<string>).data) as T;
  } catch {
    return null;
  }
}

function opened(): void {
  clearTimeout(lost_timer);
  lost_timer = 0;
  retries = 0;
  set_link('live');
  // A stream has no id to resume from until its first event, and data fetched before it opened may
  // be older than its start.
  tell('resync', null);
}

function failed(): void {
  if (!lost_timer) lost_timer = window.setTimeout(() => set_link('lost'), LOST_AFTER_MS);
  // The browser reconnects by itself, except after a reply that is not an event stream.
  if (source?.readyState !== EventSource.CLOSED) return;
  source = null;
  const wait = RETRY_MS[Math.min(retries, RETRY_MS.length - 1)]!;
  retries += 1;
  retry_timer = window.setTimeout(() => {
    retry_timer = 0;
    open_stream();
  }, wait);
}

function open_stream(): void {
  source = new EventSource('/api/v1/events');
  source.addEventListener('open', opened);
  source.addEventListener('error', failed);
  for (const type of ['moved', 'note'])
    source.addEventListener(type, (message) => {
      const event = parsed<JobEvent>(message);
      if (event) tell('event', event);
    });
  source.addEventListener('progress', (message) => {
    const progress = parsed<ProgressEvent>(message);
    if (progress) heard_progress(progress);
  });
  source.addEventListener('resync', () => tell('resync', null));
}

let wanted = false;
let rest_timer = 0;

// A hidden tab closes its stream after a while: a browser opens only six connections to a server,
// and each stream takes one. When the tab is shown again, it fetches what it missed.
function seen_or_not(): void {
  clearTimeout(rest_timer);
  if (!wanted) return;
  if (!document.hidden) return start_live();
  rest_timer = window.setTimeout(() => {
    clearTimeout(retry_timer);
    retry_timer = 0;
    source?.close();
    source = null;
  }, REST_AFTER_MS);
}

export function start_live(): void {
  if (!wanted) document.addEventListener('visibilitychange', seen_or_not);
  wanted = true;
  if (source || retry_timer) return;
  open_stream();
}

export function stop_live(): void {
  document.removeEventListener('visibilitychange', seen_or_not);
  wanted = false;
  clearTimeout(rest_timer);
  clearTimeout(retry_timer);
  clearTimeout(lost_timer);
  retry_timer = lost_timer = retries = 0;
  source?.close();
  source = null;
  latest.clear();
  set_link('off');
}

// The newest progress of each job, so that a row drawn later starts from it. There may be thousands
// of jobs with four reports a second each, so a report goes only to the watchers of its job.
const latest = new Map<number, ProgressEvent>();
const LATEST_MAX = 2_000;
const watchers = new Map<number, Set<(progress: ProgressEvent) => void>>();

function heard_progress(progress: ProgressEvent): void {
  latest.delete(progress.job);
  latest.set(progress.job, progress);
  if (latest.size > LATEST_MAX) latest.delete(latest.keys().next().value!);
  for (const call of watchers.get(progress.job) ?? []) call(progress);
}

export function watch(job: number, call: (progress: ProgressEvent) => void): () => void {
  const calls = watchers.get(job) ?? new Set();
  watchers.set(job, calls.add(call));
  return () => {
    calls.delete(call);
    if (calls.size === 0 && watchers.get(job) === calls) watchers.delete(job);
  };
}

export function latest_progress(job: number): ProgressEvent | null {
  return latest.get(job) ?? null;
}

// After a move the last progress is out of date.
hear('event', (event) => {
  if (event.to) latest.delete(event.job);
});
