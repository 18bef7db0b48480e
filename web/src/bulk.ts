// What a bulk action would do, for the preview before the user confirms it.
import type { Job, Lifecycle } from './types';

export type Action = 'cancel' | 'retry' | 'pause' | 'resume';
export const ACTIONS: readonly Action[] = ['pause', 'resume', 'retry', 'cancel'];

export interface Preview {
  will: Job[];
  groups: { becomes: string; jobs: Job[] }[];
  wont: { job: Job; why: string }[];
}

// The state that the action leads to in the job's lifecycle. Null if the action makes no move.
export function leads_to(
  action: Action,
  job: Job,
  lifecycle: Lifecycle | undefined,
): string | null {
  const froms = (from: string | string[]) => (Array.isArray(from) ? from : [from]);
  const move = lifecycle?.moves.find(
    (one) => one.on === action && one.by === 'user' && froms(one.from).includes(job.state),
  );
  if (move) return move.to;
  return action === 'cancel'
    ? (lifecycle?.states.find((state) => state.name === job.state)?.on_cancel ?? null)
    : null;
}

function what_happens(action: Action, job: Job, lifecycle: Lifecycle | undefined): string {
  const to = leads_to(action, job, lifecycle);
  if (to) return `${job.state} → ${to}`;
  if (action === 'retry') return 'a new job tries again';
  return { cancel: 'is cancelled', pause: 'is paused', resume: 'is resumed' }[action];
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
  if (job.end !== 'open' && action !== 'retry') return `has ended (${job.state})`;
  if (job.end === 'open' && action === 'retry') return `has not ended (${job.state})`;
  return `${job.lifecycle} allows no ${action} in ${job.state}`;
}
