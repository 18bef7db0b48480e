// A search reads a bounded number of jobs per request, so a page may be empty and have a next one.
import type { Job, List } from './types';

const STEPS = 50;

// Asks on until there is something to show, or the end, or for STEPS requests. `searched` says how
// many jobs that were.
export async function first_found(
  ask: (cursor: string) => Promise<List<Job>>,
  cursor: string,
): Promise<List<Job>> {
  let searched = 0;
  let at = cursor;
  for (let step = 1; ; step += 1) {
    const page = await ask(at);
    searched += page.searched ?? 0;
    const next = page.next === null ? null : String(page.next);
    if (page.items.length || next === null || next === at || step === STEPS)
      return { ...page, searched };
    at = next;
  }
}
