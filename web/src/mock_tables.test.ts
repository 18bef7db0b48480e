// The mock's tables are those of the daemon. `haul` writes docs/lifecycles.md and docs/api.md, and
// its tests compare them. After a change of a table: haul lifecycle --json > mock/lifecycles.json
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errand, lifecycles } from './testing';
import type { Field, Lifecycle, Move, State } from './types';

// The sections of a page by their heading, each as the rows of its tables.
function sections(page: string, mark: string): Map<string, string[][]> {
  const parts = readFileSync(`../docs/${page}`, 'utf8').split(`\n${mark} `).slice(1);
  return new Map(
    parts.map((part) => {
      const lines = part.split('\n');
      const rows = lines.filter((line) => line.startsWith('| ') && !line.endsWith('---|'));
      return [lines[0]!, rows.map(cells)];
    }),
  );
}

const cells = (row: string) =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim().replaceAll('`', ''));

const HOUR_S = 3_600;

const state_row = (state: State) => [
  state.name,
  state.end,
  state.step,
  state.leased ? 'yes' : '',
  state.stuck_after_s === null ? '' : `${state.stuck_after_s / HOUR_S} h`,
  ...[state.on_fault, state.on_fail, state.on_lost, state.on_cancel].map((answer) => answer ?? ''),
];

const move_row = (move: Move) => [
  move.from,
  move.on,
  move.by,
  move.to,
  move.guards.join(', '),
  move.needs ?? '',
  move.effects.join(', '),
  move.bound ?? '',
  move.origin,
];

// A row of the page may have several states that a move starts in.
const apart = ([from, ...rest]: string[]) => from!.split(', ').map((one) => [one, ...rest]);

const said = (table: Lifecycle) => [...table.states.map(state_row), ...table.moves.map(move_row)];

test('the tables of the mock are those of docs/lifecycles.md', () => {
  const pages = sections('lifecycles.md', '##');
  assert.deepEqual(
    lifecycles.map((table) => table.name),
    [...pages.keys()],
  );

  for (const table of lifecycles) {
    const rows = pages
      .get(table.name)!
      .filter(([first]) => first !== 'state' && first !== 'from')
      .flatMap(apart);
    assert.deepEqual(said(table), rows, table.name);
  }
});

// Users do not fill them in.
const HIDDEN = new Set(
  (
    'logins netrc ca_file insecure no_proxy ip_version connect_timeout max_time compressed ' +
    'remote_time checksums each'
  ).split(' '),
);

function field_row(field: Field): string[] {
  const values = field.values.join(', ').replace(/, ([^,]*)$/, ' or $1');
  return [field.required ? `${field.name}, required` : field.name, field.type, values];
}

// Each field, followed by the fields within it, as the page of the docs has them.
const with_inner = (fields: Field[]): Field[] =>
  fields.flatMap((field) => [
    field,
    ...(field.fields ?? []).map((inner) => ({ ...inner, name: `${field.name}.${inner.name}` })),
  ]);

test('the request fields of the mock are those of docs/api.md', () => {
  const pages = sections('api.md', '###');
  for (const table of lifecycles) {
    const fields = with_inner(table.request);
    const rows = (pages.get(table.name) ?? [])
      .filter(([name]) => name !== 'field' && !HIDDEN.has(name!))
      .map(([name, type, values], index) => {
        const has_values = fields[index]?.values.length;
        return [name, type, has_values ? values : ''];
      });
    assert.deepEqual(fields.map(field_row), rows, table.name);
  }
});

test('the seventh lifecycle has the same members as the others', () => {
  const first = lifecycles[0]!;
  const keys = (object: object) => Object.keys(object).join(' ');
  assert.equal(keys(errand), keys(first));
  for (const state of errand.states) assert.equal(keys(state), keys(first.states[0]!));
  for (const move of errand.moves) assert.equal(keys(move), keys(first.moves[0]!));
  for (const field of errand.request) assert.equal(keys(field), keys(first.request[0]!));
});
