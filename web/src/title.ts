// The title of a job in a list: the part of its request that a user recognises.
import type { Job, Json } from './types';

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// The file name in a URL, else its host.
export function url_title(address: string): string {
  const magnet = /^magnet:\?/i.test(address)
    ? new URLSearchParams(address.slice(8)).get('dn')
    : null;
  if (magnet) return magnet;
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)([^?#]*)/i.exec(address);
  if (!match) return address;
  const last = (match[2] ?? '').split('/').filter(Boolean).pop();
  return last ? decoded(last) : match[1] || address;
}

function of_links(request: Job['request']): string {
  const name = text(request['name']);
  const urls = Array.isArray(request['urls']) ? request['urls'].map((url) => text(url)) : [];
  const first = text(request['url']) || urls[0] || '';
  const more = text(request['url']) ? urls.length : urls.length - 1;
  const title = name || (first ? url_title(first) : '');
  return more > 0 ? `${title} and ${more} more` : title;
}

function of_work(request: Job['request']): string {
  const title = text(request['title']) || text(request['release_name']);
  if (!title) return '';
  const two = (value: Json | undefined) => text(value).padStart(2, '0');
  const year = text(request['year']);
  const season =
    request['season'] !== undefined && request['season'] !== null
      ? ` S${two(request['season'])}`
      : '';
  const episode =
    request['episode'] !== undefined && request['episode'] !== null
      ? `E${two(request['episode'])}`
      : '';
  return `${title}${year ? ` (${year})` : ''}${season}${episode}`;
}

// Goes by the fields of the request, not by the lifecycle: a lifecycle may be unknown here.
export function title_of(job: Pick<Job, 'id' | 'request'>): string {
  const request = job.request ?? {};
  const own =
    of_work(request) ||
    of_links(request) ||
    url_title(text(request['file_id'])).split('/').pop() ||
    text(request['prompt']) ||
    text(request['book_id']);
  if (own) return own;
  const first = Object.values(request).find((value) => typeof value === 'string' && value !== '');
  return text(first) || `Job ${job.id}`;
}

// The host of the job's URL, for the second line of a row.
export function source_of(job: Pick<Job, 'request'>): string {
  const request = job.request ?? {};
  const urls = request['urls'];
  const address =
    text(request['url']) || text(Array.isArray(urls) ? urls[0] : undefined) || text(request['uri']);
  if (/^magnet:/i.test(address)) return 'magnet';
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(address);
  return match?.[1] ?? '';
}
