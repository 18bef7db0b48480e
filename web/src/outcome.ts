// Z-25: colours and words of an ended job follow its outcome, not its state.
import type { End, Job, Progress } from './types';

export type Look = End | 'partly';
export const OUTCOMES = ['whole', 'partly', 'nothing'] as const;

export function look_of(job: Pick<Job, 'end' | 'outcome'>): Look {
  if (job.outcome === 'whole') return 'good';
  if (job.outcome === 'partly') return 'partly';
  if (job.outcome === 'nothing') return job.end === 'stopped' ? 'stopped' : 'bad';
  return job.end;
}

export function waits_for_retry(progress?: Progress | null): boolean {
  return typeof progress?.retry_in === 'number';
}

// A job that only waits, for its host or for another try, is not shown as running.
export function state_of(
  job: Pick<Job, 'state' | 'end' | 'outcome'>,
  progress?: Progress | null,
): string {
  if (job.end === 'open' && progress?.waits_for) return `waiting for ${progress.waits_for}`;
  if (job.end === 'open' && waits_for_retry(progress)) return 'waiting to try again';
  if (job.outcome === 'partly') return `${job.state}, partly`;
  if (job.outcome === 'nothing' && job.end === 'good') return `${job.state}, nothing arrived`;
  return job.state;
}

// Whether a spinner turns: something works on it now, and it is not only waiting.
export function is_busy(job: Pick<Job, 'worker' | 'paused'>, progress: Progress | null): boolean {
  if (job.paused || progress?.waits_for || waits_for_retry(progress)) return false;
  return job.worker !== null || (progress !== null && !progress.resting);
}
