// Z-25: colours and words of an ended job follow its outcome, not its state.
import type { End, Job } from './types';

export type Look = End | 'partly';
export const OUTCOMES = ['whole', 'partly', 'nothing'] as const;

export function look_of(job: Pick<Job, 'end' | 'outcome'>): Look {
  if (job.outcome === 'whole') return 'good';
  if (job.outcome === 'partly') return 'partly';
  if (job.outcome === 'nothing') return job.end === 'stopped' ? 'stopped' : 'bad';
  return job.end;
}

export function state_of(job: Pick<Job, 'state' | 'end' | 'outcome'>): string {
  if (job.outcome === 'partly') return `${job.state}, partly`;
  if (job.outcome === 'nothing' && job.end === 'good') return `${job.state}, nothing arrived`;
  return job.state;
}
