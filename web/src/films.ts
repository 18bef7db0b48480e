// Films and series as the library lists them: one row for each job.
import type { Job } from './types';

export const FILMS = 'media';

// The request may leave the kind out; a season or an episode says it too.
export function kind_of_film(job: Pick<Job, 'request'>): string {
  const { kind, season, episode } = job.request;
  if (kind === 'movie') return 'film';
  if (typeof kind === 'string' && kind) return kind;
  return typeof season === 'number' || typeof episode === 'number' ? 'series' : '';
}

export function release_of(job: Pick<Job, 'request'>): string {
  const name = job.request['release_name'];
  return typeof name === 'string' ? name : '';
}
