// Counts for the filters of the jobs page, from the one table the server keeps.
import type { End, Lifecycle, StatRow } from './types';
import { ENDS } from './types';

export interface Filter {
  lifecycle: string;
  state: string;
  end: string;
}

// A count is null where it is not known: how much others have is not told to everybody.
export interface Facets {
  total: number | null;
  ends: Record<End, number | null>;
  lifecycles: {
    name: string;
    count: number | null;
    states: { name: string; end: End; count: number | null }[];
  }[];
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

// Each group counts under the other group's choice, not its own: a count is what a click shows.
export function facets(rows: StatRow[], tables: Lifecycle[], filter: Filter): Facets {
  const known = rows.length > 0;
  const sum = (wanted: (row: StatRow) => boolean) =>
    known ? rows.filter(wanted).reduce((total, row) => total + row.count, 0) : null;
  const in_group = (row: StatRow) =>
    (!filter.lifecycle || same(row.lifecycle, filter.lifecycle)) &&
    (!filter.state || same(row.state, filter.state));
  const in_end = (row: StatRow) => !filter.end || row.end === filter.end;
  const count_of = (end: End) => sum((row) => row.end === end && in_group(row));
  return {
    total: sum(in_group),
    ends: Object.fromEntries(ENDS.map((end) => [end, count_of(end)])) as Record<End, number | null>,
    lifecycles: tables.map((table) => ({
      name: table.name,
      count: sum((row) => row.lifecycle === table.name && in_end(row)),
      states: table.states
        .filter((state) => !filter.end || state.end === filter.end)
        .map((state) => ({
          name: state.name,
          end: state.end,
          count: sum((row) => row.lifecycle === table.name && row.state === state.name),
        })),
    })),
  };
}
