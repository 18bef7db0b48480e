// A lifecycle that the page has never heard of works by its table alone. tests/seventh/errand.h
// defines it, and tests/own_lifecycle_test.cc compares mock/errand.json with what the API prints.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cancel_words, preview } from './bulk';
import { facets } from './facets';
import { control_of, request_of } from './form';
import { draw, edge_key, way_of } from './layout';
import { look_of } from './outcome';
import { errand, lifecycles } from './testing';
import { title_of } from './title';
import type { Job, StatRow } from './types';

const job = (state: string, more: Partial<Job> = {}) =>
  ({
    id: 7,
    lifecycle: 'errand',
    state,
    end: errand.states.find((one) => one.name === state)!.end,
    outcome: null,
    request: { weight: 3, parcel: 'a brass lamp' },
    allowed: ['cancel'],
    ...more,
  }) as Job;

test('its form has a control for each field and makes a request of their types', () => {
  assert.deepEqual(
    errand.request.map((field) => `${field.name} ${control_of(field)}`),
    [
      'parcel text',
      'weight number',
      'speed choice',
      'fragile check',
      'stops list',
      'notes json',
      'map text',
    ],
  );
  const { request, wrong } = request_of(errand.request, {
    parcel: 'a brass lamp',
    weight: '3',
    speed: 'fast',
    fragile: true,
    stops: 'the bakery\nthe harbour',
    notes: '{"colour": "brass"}',
    map: '',
  });
  assert.deepEqual(wrong, {});
  assert.deepEqual(request, {
    parcel: 'a brass lamp',
    weight: 3,
    speed: 'fast',
    fragile: true,
    stops: ['the bakery', 'the harbour'],
    notes: { colour: 'brass' },
  });
  assert.deepEqual(request_of(errand.request, {}).wrong, { parcel: 'required' });
});

test('its filters count its jobs by state', () => {
  const rows: StatRow[] = [
    { lifecycle: 'errand', state: 'carrying', end: 'open', count: 2 },
    { lifecycle: 'errand', state: 'there', end: 'good', count: 5 },
    { lifecycle: 'batch', state: 'RUNNING', end: 'open', count: 1 },
  ];
  const filter = { lifecycle: 'errand', state: '', end: '', outcome: '' };
  const shown = facets(rows, [...lifecycles, errand], filter);

  assert.equal(shown.total, 7);
  assert.equal(shown.open, 2);
  const own = shown.lifecycles.find((one) => one.name === 'errand')!;
  assert.equal(own.count, 7);
  assert.deepEqual(
    own.states.map((state) => `${state.name} ${state.end} ${state.count}`),
    ['waiting open 0', 'carrying open 2', 'there good 5', 'dropped bad 0', 'called_off stopped 0'],
  );
});

test('its diagram marks the moves that a job made', () => {
  const way = way_of([
    { from: 'waiting', to: 'carrying', on: 'claim' },
    { from: 'carrying', to: 'waiting', on: 'lost' },
    { from: 'waiting', to: 'carrying', on: 'claim' },
  ]);
  const made = draw(errand, 'across').edges.filter((edge) => way.has(edge_key(edge.from, edge.to)));

  assert.deepEqual(
    made.map(({ from, to, ons }) => `${from} ${to}: ${ons.join(' ')}`),
    ['waiting carrying: claim', 'carrying waiting: requeue lost release'],
  );
  assert.equal(way.get(edge_key('waiting', 'carrying'))!.times, 2);
});

test('its jobs have a title, a look and an end that a cancel leads to', () => {
  assert.equal(title_of(job('waiting')), 'a brass lamp');
  assert.equal(look_of(job('there', { outcome: 'whole' })), 'good');
  assert.equal(look_of(job('dropped', { outcome: 'nothing' })), 'bad');
  assert.equal(cancel_words(job('carrying'), errand), 'The job ends as called_off.');
  const shown = preview('cancel', [job('carrying'), job('there', { allowed: [] })], [errand]);
  assert.deepEqual(
    shown.groups.map((group) => group.becomes),
    ['errand: carrying → called_off'],
  );
  assert.deepEqual(
    shown.wont.map((one) => one.why),
    ['has ended (there)'],
  );
});

// The library is about books and films, other pages are about images and relays, and one page of
// the router is called so.
const ABOUT_FILMS = ['src/films.ts'];
const ABOUT_IMAGES = ['src/images.ts', 'src/pages/images_gallery.tsx'];
const ABOUT_RELAYS = ['src/relays.ts'];
const ABOUT_BOOKS = ['books.ts', 'book.tsx', 'library.tsx', 'route.ts', 'app.tsx', 'shell.tsx'];
const WORDS = new Set(['item', 'completed']); // A noun in messages, and a name in `counts`.

test('no code of the page names a lifecycle or a state of one', () => {
  const names = lifecycles.flatMap((one) => [one.name, ...one.states.map((state) => state.name)]);
  const files = ['src', 'src/pages', 'src/parts'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.tsx?$/.test(name) && !/^testing\.ts$|\.test\.ts$/.test(name))
      .map((name) => join(folder, name)),
  );
  assert.ok(files.length > 40);
  const found = files.flatMap((file) =>
    [...new Set(names)]
      .filter((name) => !WORDS.has(name))
      .filter((name) => name !== 'book' || !ABOUT_BOOKS.some((one) => file.endsWith(`/${one}`)))
      .filter((name) => name !== 'media' || !ABOUT_FILMS.includes(file))
      .filter((name) => name !== 'image' || !ABOUT_IMAGES.includes(file))
      .filter((name) => name !== 'relay' || !ABOUT_RELAYS.includes(file))
      .filter((name) => new RegExp(`['"\`]${name}['"\`]`).test(readFileSync(file, 'utf8')))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(found, []);
});
