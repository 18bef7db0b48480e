// For tests only: the tables as GET /lifecycles returns them, and one that no code of the page
// names.
import seventh from '../mock/errand.json';
import tables from '../mock/lifecycles.json';
import requests from '../mock/requests.json';
import type { Field, Lifecycle } from './types';

const fields = new Map<string, Field[]>(Object.entries(requests));

export const lifecycles = tables.map((table) => ({
  ...table,
  request: fields.get(table.name) ?? [],
  not_ready: '',
})) as Lifecycle[];

export const named = (name: string) => lifecycles.find((one) => one.name === name)!;

export const errand = seventh as Lifecycle;
