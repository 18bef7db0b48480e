// Behaviour of the job list: follows the stream, handles keys, restores the scroll position.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useSoon } from '../hooks';
import { is_shortcut } from '../keys';
import { hear } from '../live';
import { announce } from '../say';
import { cut_middle, plain } from '../text';
import { title_of } from '../title';
import type { Job, JobEvent } from '../types';
import type { Selected } from './jobs_select';

// The list as it was last shown. A job's page links back to it.
let last_search = '';
let last_scroll = 0;
export const list_path = () => `/jobs${last_search}`;

// Restores the scroll position when the user comes back to the same list.
export function useBackAt(search: string): void {
  const came_back = useRef(search === last_search);
  last_search = search;
  useLayoutEffect(() => {
    if (came_back.current) window.scrollTo(0, last_scroll);
    const read = () => {
      last_scroll = window.scrollY;
    };
    window.addEventListener('scroll', read, { passive: true });
    return () => window.removeEventListener('scroll', read);
  }, []);
}

// Moves change filters and counts, so this fetches the list again, at most once a second.
export function useFollow(refresh: () => void, jobs: Job[]): void {
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

// Announces at most one move per 3 s: fifty rows would cause too many announcements.
function tell_end(job: Job, to: string): void {
  if (Date.now() - told_ms < 3_000) return;
  told_ms = Date.now();
  announce(`${plain(cut_middle(title_of(job), 60))}: ${to}`);
}

export function useListKeys(select: (to: Selected) => void): void {
  useLayoutEffect(() => {
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
