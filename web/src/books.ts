// A book as its shelf shows it: for each kind of file what there is, and what is on its way.
import type { Asset, Book, End, Job } from './types';

// What every book may have comes first, whatever else there is after it.
const KINDS = ['text', 'audio'];

export interface Holding {
  kind: string;
  asset: Asset | null;
  job: Job | null; // The newest that is open.
}

export function kind_of(job: Job): string {
  const kind = job.request['media_type'];
  return typeof kind === 'string' ? kind : '';
}

export function holdings_of(book: Book): Holding[] {
  const found = [...book.assets.map((one) => one.media_type), ...book.open_jobs.map(kind_of)];
  const kinds = [...KINDS, ...new Set(found.filter((kind) => kind && !KINDS.includes(kind)))];
  return kinds.map((kind) => ({
    kind,
    asset: book.assets.find((one) => one.media_type === kind) ?? null,
    job: book.open_jobs.find((one) => kind_of(one) === kind) ?? null,
  }));
}

// A file that is there is good, one that went missing is not, one that was deleted was meant to be.
export function end_of_asset(asset: Pick<Asset, 'status'>): End {
  if (asset.status === 'available') return 'good';
  return asset.status === 'missing' ? 'bad' : 'stopped';
}

export const book_path = (id: string) => `/library/${encodeURIComponent(id)}`;
