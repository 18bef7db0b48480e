// Tells what a bulk action would do. The user sees this before confirming it.
import type { Job, Lifecycle, Move } from './types';

export type Action = 'cancel' | 'retry' | 'pause' | 'resume' | 'delete';
export const ACTIONS: readonly Action[] = ['pause', 'resume', 'retry', 'cancel', 'delete'];
export const DONE: Record<Action, string> = {
  cancel: 'cancelled',
  retry: 'retried',
  pause: 'paused',
  resume: 'resumed',
  delete: 'deleted',
};
export const DELETE_WORDS = 'Lists and counts leave the job out. Its files stay.';
export const DELETE_WITH_FILES_WORDS =
  'Lists and counts leave the job out. haul deletes its files for good, except those that were ' +
  'changed or that another job needs.';

export interface Preview {
  will: Job[];
  groups: { becomes: string; jobs: Job[] }[];
  wont: { job: Job; why: string }[];
}

// The move that the action makes in the job's lifecycle. Undefined if it makes none.
export function move_of(
  action: Action,
  job: Pick<Job, 'state'>,
  lifecycle: Lifecycle | undefined,
): Move | undefined {
  return lifecycle?.moves.find(
    (one) => one.on === action && one.by === 'user' && one.from === job.state,
  );
}

// What a cancel does, for the question before it.
export function cancel_words(job: Pick<Job, 'state'>, lifecycle: Lifecycle | undefined): string {
  const move = move_of('cancel', job, lifecycle);
  const end = `The job ends as ${move?.to ?? 'cancelled'}.`;
  return move?.effects.includes('clear_parts') ? `${end} haul deletes incomplete files.` : end;
}

function what_happens(action: Action, job: Job, lifecycle: Lifecycle | undefined): string {
  const move = move_of(action, job, lifecycle);
  if (move) return `${job.state} → ${move.to}`;
  if (action === 'retry') return 'a new job retries it';
  return {
    cancel: 'is cancelled',
    pause: 'is paused',
    resume: 'is resumed',
    delete: 'leaves lists and counts; its files stay',
  }[action];
}

export function preview(action: Action, jobs: Job[], lifecycles: Lifecycle[]): Preview {
  const will = jobs.filter((job) => job.allowed.includes(action));
  const groups = new Map<string, Job[]>();
  for (const job of will) {
    const how = what_happens(
      action,
      job,
      lifecycles.find((one) => one.name === job.lifecycle),
    );
    const text = `${job.lifecycle}: ${how}`;
    groups.set(text, [...(groups.get(text) ?? []), job]);
  }
  const wont = jobs
    .filter((job) => !job.allowed.includes(action))
    .map((job) => ({ job, why: why_not(action, job) }));
  return { will, groups: [...groups].map(([text, list]) => ({ becomes: text, jobs: list })), wont };
}

function why_not(action: Action, job: Job): string {
  const after_end = action === 'retry' || action === 'delete';
  if (job.end !== 'open' && !after_end) return `has ended (${job.state})`;
  if (job.end === 'open' && after_end) return `has not ended (${job.state})`;
  return `${job.lifecycle} allows no ${action} in ${job.state}`;
}
