// The selected jobs. The selection stays across pages and is kept up to date.
import type { Job } from '../types';

export type Selected = ReadonlyMap<number, Job>;
const SELECTED_MAX = 500;

export function toggled(was: Selected, job: Job): Selected {
  const next = new Map(was);
  if (!next.delete(job.id) && next.size < SELECTED_MAX) next.set(job.id, job);
  return next;
}

export function toggled_all(was: Selected, jobs: Job[]): Selected {
  const next = new Map(was);
  if (jobs.every((job) => next.has(job.id))) jobs.forEach((job) => next.delete(job.id));
  else jobs.forEach((job) => next.size < SELECTED_MAX && next.set(job.id, job));
  return next;
}

// The preview must show the jobs as they are now.
export function keep_fresh(
  select: (change: (was: Selected) => Selected) => void,
  jobs: Job[],
): void {
  select((was) => {
    if (!jobs.some((job) => was.has(job.id))) return was;
    const next = new Map(was);
    for (const job of jobs) if (next.has(job.id)) next.set(job.id, job);
    return next;
  });
}
