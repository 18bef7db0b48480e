// A bulk action on all jobs that match a filter: the server takes a part of them per call.
import type { Action } from './bulk';
import type { JobActed, JobOutcome } from './types';

const CALLS_MAX = 10_000;
const REFUSED_KEPT = 50;

export interface Sum {
  matched: number;
  acted: number;
  refused: JobOutcome[]; // The first ones.
  files: number; // Of the jobs that are deleted with their files.
  bytes: number;
}

export type Ask = (cursor: string | undefined) => Promise<JobActed>;

// Calls until the last part. `step` gets the sum after each call.
export async function act_on_all(ask: Ask, step: (sum: Sum) => void): Promise<Sum> {
  let sum: Sum = { matched: 0, acted: 0, refused: [], files: 0, bytes: 0 };
  let cursor: string | undefined;
  for (let call = 0; call < CALLS_MAX; call += 1) {
    const part = await ask(cursor);
    const refused = part.items.filter((one) => one.outcome === 'refused');
    sum = {
      matched: sum.matched + part.matched,
      acted: sum.acted + part.acted,
      refused: [...sum.refused, ...refused].slice(0, REFUSED_KEPT),
      files: sum.files + (part.files ?? 0),
      bytes: sum.bytes + (part.bytes ?? 0),
    };
    step(sum);
    if (part.next === null) return sum;
    cursor = String(part.next);
  }
  return sum;
}

// What the user reads before it happens.
export function question(action: Action, sum: Sum): string {
  const count = (n: number) => n.toLocaleString('en');
  const jobs = sum.matched === 1 ? 'job matches' : 'jobs match';
  if (sum.acted === 0) return `${count(sum.matched)} ${jobs}; none of them allows ${action} now.`;
  const rest = sum.matched - sum.acted;
  return (
    `${count(sum.matched)} ${jobs} the filter; ${action} acts on ${count(sum.acted)} of them` +
    (rest ? ` and leaves ${count(rest)} unchanged.` : '.')
  );
}
