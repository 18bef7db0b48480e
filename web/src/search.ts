// The server reads a bounded number of rows per request, so a page may be short or empty and have a
// next one.
import type { List } from './types';

const STEPS = 50;

interface Wanted {
  cursor: string;
  limit: number;
}

// Asks on until there are `limit` rows, or the end, or for STEPS requests. A result that is short
// and has a next page is what STEPS requests found; `searched` says how many rows they read.
export async function filled<T>(
  ask: (wanted: Wanted) => Promise<List<T>>,
  { cursor, limit }: Wanted,
): Promise<List<T>> {
  const items: T[] = [];
  let searched = 0;
  let at = cursor;
  for (let step = 1; ; step += 1) {
    const page = await ask({ cursor: at, limit: limit - items.length });
    items.push(...page.items);
    searched += page.searched ?? 0;
    const next = page.next === null ? null : String(page.next);
    if (items.length >= limit || next === null || next === at || step === STEPS)
      return { items, next, searched };
    at = next;
  }
}
