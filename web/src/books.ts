// A book as the library shows it: the asset and the open job of each kind of file.
import type { Asset, Book, End, Job } from './types';

// These kinds are always shown, first; others follow.
const KINDS = ['text', 'audio'];

export interface Holding {
  kind: string;
  asset: Asset | null;
  job: Job | null; // The newest open job.
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

// An available file is good, a missing one is bad, a deleted one was deleted on purpose.
export function end_of_asset(asset: Pick<Asset, 'status'>): End {
  if (asset.status === 'available') return 'good';
  return asset.status === 'missing' ? 'bad' : 'stopped';
}

export const book_path = (id: string) => `/library/${encodeURIComponent(id)}`;
