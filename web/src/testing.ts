// For tests only: the tables as GET /lifecycles returns them, and one that no code of the page
// names.
import seventh from '../mock/errand.json';
import tables from '../mock/lifecycles.json';
import type { Lifecycle } from './types';

export const lifecycles = tables.map((table) => ({ ...table, not_ready: '' })) as Lifecycle[];

export const named = (name: string) => lifecycles.find((one) => one.name === name)!;

export const errand = seventh as Lifecycle;
