// The items of a job: their lifecycle, and the filters of their list.
import type { Counts, Item, Lifecycle } from './types';

// The API does not say which lifecycle the items of a job have. It is one that has no request of
// its own and has the state of every item.
export function table_of(items: Pick<Item, 'state'>[], tables: Lifecycle[]): Lifecycle | undefined {
  return tables.find(
    (table) =>
      table.request.length === 0 &&
      items.every((item) => table.states.some((state) => state.name === item.state)),
  );
}

// Whether items in this state are in transfer.
export function is_moving(state: string, table: Lifecycle | undefined): boolean {
  return table?.states.find((one) => one.name === state)?.step === 'transfer';
}

// Whether the item can get another link: it ended without its file. The key of an item that a
// program fetches, such as "NAME:3:ADDRESS", is no address: such an item has no link of its own.
export function can_replace_link(item: Pick<Item, 'end' | 'key'>): boolean {
  return (item.end === 'bad' || item.end === 'stopped') && !/^[a-z-]+:\d+:/.test(item.key);
}

export interface ItemFilter {
  state: string;
  count: number | null; // Null if the server does not count it.
}

// The counts are named after the states, except that `completed` includes the skipped items.
function count_of(state: string, counts: Counts): number | null {
  const name = state.toLowerCase();
  const known = new Map(Object.entries(counts));
  return known.get(name === 'completed' ? 'downloaded' : name) ?? null;
}

// One filter for each ended state that has items, and while the job is open for items in transfer.
export function filters_of(
  table: Lifecycle | undefined,
  counts: Counts,
  is_open: boolean,
): ItemFilter[] {
  return (table?.states ?? []).flatMap((state) => {
    if (state.end === 'open')
      return is_open && state.step === 'transfer' ? { state: state.name, count: null } : [];
    const count = count_of(state.name, counts);
    return count === 0 ? [] : { state: state.name, count };
  });
}
