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

const REASONS: Record<string, string> = {
  timeout: 'the server did not answer in time',
  stalled: 'no byte arrived for too long',
  connection_lost: 'the connection broke',
  cannot_connect: 'the server could not be reached',
  host_not_found: 'the name of the host was not found',
  truncated: 'the connection ended before the file did',
  proxy_refused: 'the proxy did not pass the request on',
  proxy_login: 'the proxy refuses the login, or requires one',
  bad_proxy: 'the address of the proxy is not valid',
};

// Why a try failed. A code that has no words of its own is shown as it is.
export function reason_words(code: string): string {
  const status = /^http_(\d{3})$/.exec(code);
  return status ? `the server answered ${status[1]}` : (REASONS[code] ?? code);
}

// "next try in 20 s: the server answered 503". Empty if nothing waits for another try.
export function retry_words(progress: Progress | ItemProgress): string {
  if (typeof progress.retry_in !== 'number') return '';
  const reason = progress.retry_reason ?? ('reason' in progress ? progress.reason : null);
  const when = `next try in ${duration(progress.retry_in)}`;
  return reason ? `${when}: ${reason_words(reason)}` : when;
}

// An item that waits for another try says why and when instead.
export function item_words(progress: ItemProgress | Progress): string[] {
  const retry = retry_words(progress);
  return retry ? [retry] : progress_words(progress, 'short');
}
