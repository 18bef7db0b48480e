// The lifecycle tables, read once and used by the whole page. They are read again each time the live
// stream opens: the daemon may have been restarted with another configuration.
import { api } from './api';
import { hear } from './live';
import type { Lifecycle } from './types';

let tables: Promise<Lifecycle[]> | null = null;

export function forget_tables(): void {
  tables = null;
}

hear('resync', forget_tables);

export function lifecycles(): Promise<Lifecycle[]> {
  if (tables) return tables;
  const asked = api.lifecycles().then((answer) => answer.items);
  tables = asked;
  asked.catch(() => {
    if (tables === asked) tables = null;
  });
  return asked;
}
