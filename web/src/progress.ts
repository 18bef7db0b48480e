// How far a job or an item is, in words.
import { bytes, duration, percent, share, short } from './format';
import type { ItemProgress, Progress } from './types';

// 37 % · 2.1 of 5.8 GiB · 18 MiB/s · 3 min left; unknown parts are left out. While sizes are
// unknown: 2.1 of at least 5.8 GiB · at least 3 min left.
export function progress_words(progress: Progress, form: 'short' | 'long'): string[] {
  const part = share(progress.have, progress.size);
  const words: string[] = [];
  if (part !== null) words.push(percent(part));
  if (form === 'long' || part === null) words.push(amount(progress));
  if (progress.speed) words.push(`${bytes(progress.speed)}/s`);
  const left = form === 'long' ? (s: number) => `${duration(s)} left` : short;
  if (progress.eta !== null && progress.eta !== undefined) words.push(left(progress.eta));
  else if (progress.eta_least) words.push(`at least ${left(progress.eta_least)}`);
  return words;
}

function amount({ have, size, size_least }: Progress): string {
  if (size) return `${bytes(have)} of ${bytes(size)}`;
  return size_least ? `${bytes(have)} of at least ${bytes(size_least)}` : bytes(have);
}

// An item that waits for another try says why and when instead.
export function item_words(progress: ItemProgress | Progress): string[] {
  const waits = 'retry_in' in progress && typeof progress.retry_in === 'number';
  return waits ? [progress.status] : progress_words(progress, 'short');
}
