// Counts for the filters of the jobs page, from the statistics of the server.
import type { End, Lifecycle, StatRow } from './types';

export interface Filter {
  lifecycle: string;
  state: string;
  end: string;
  outcome: string;
}

// A count is null if the server does not tell it to this user.
export interface Facets {
  total: number | null;
  open: number | null;
  lifecycles: {
    name: string;
    count: number | null;
    states: { name: string; end: End; count: number | null }[];
  }[];
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

// A count is the number of jobs that a click shows. So each group applies the other group's filter,
// not its own. The server counts by state, which does not determine the outcome: outcomes have no
// counts, and neither have lifecycles while an outcome is chosen.
export function facets(rows: StatRow[], tables: Lifecycle[], filter: Filter): Facets {
  const known = rows.length > 0;
  const has_ended = filter.outcome !== '';
  const sum = (wanted: (row: StatRow) => boolean) =>
    known ? rows.filter(wanted).reduce((total, row) => total + row.count, 0) : null;
  const in_group = (row: StatRow) =>
    (!filter.lifecycle || same(row.lifecycle, filter.lifecycle)) &&
    (!filter.state || same(row.state, filter.state));
  const in_end = (row: StatRow) => !filter.end || row.end === filter.end;
  return {
    total: sum(in_group),
    open: sum((row) => row.end === 'open' && in_group(row)),
    lifecycles: tables.map((table) => ({
      name: table.name,
      count: has_ended ? null : sum((row) => row.lifecycle === table.name && in_end(row)),
      states: table.states
        .filter((state) => !filter.end || state.end === filter.end)
        .filter((state) => !has_ended || state.end !== 'open')
        .map((state) => ({
          name: state.name,
          end: state.end,
          count: has_ended
            ? null
            : sum((row) => row.lifecycle === table.name && row.state === state.name),
        })),
    })),
  };
}
