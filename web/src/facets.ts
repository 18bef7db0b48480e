// Counts for the filters of the jobs page, from the one table the server keeps.
import type { End, StatRow } from './types';
import { ENDS } from './types';

export interface Filter {
  lifecycle: string;
  state: string;
  end: string;
}

export interface Facets {
  total: number;
  ends: Record<End, number>;
  lifecycles: { name: string; count: number; states: { name: string; end: End; count: number }[] }[];
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

// Each group counts under the other group's choice, not its own: a count is what a click shows.
export function facets(rows: StatRow[], order: string[], filter: Filter): Facets {
  const ends: Record<End, number> = { open: 0, good: 0, bad: 0, stopped: 0 };
  const lifecycles = new Map<string, Facets['lifecycles'][number]>();
  for (const name of order) lifecycles.set(name, { name, count: 0, states: [] });
  for (const row of rows) {
    const in_lifecycle = !filter.lifecycle || same(row.lifecycle, filter.lifecycle);
    const in_state = !filter.state || same(row.state, filter.state);
    if (in_lifecycle && in_state && ENDS.includes(row.end)) ends[row.end] += row.count;
    let entry = lifecycles.get(row.lifecycle);
    if (!entry) lifecycles.set(row.lifecycle, (entry = { name: row.lifecycle, count: 0, states: [] }));
    if (filter.end && row.end !== filter.end) continue;
    entry.count += row.count;
    entry.states.push({ name: row.state, end: row.end, count: row.count });
  }
  return {
    total: ends.open + ends.good + ends.bad + ends.stopped,
    ends,
    lifecycles: [...lifecycles.values()],
  };
}
