import assert from 'node:assert/strict';
import { test } from 'node:test';
import { facets } from './facets';
import { named as table } from './testing';
import type { StatRow } from './types';

const named = (...names: string[]) => names.map(table);

const rows: StatRow[] = [
  { lifecycle: 'batch', state: 'RUNNING', end: 'open', count: 3 },
  { lifecycle: 'batch', state: 'FAILED', end: 'bad', count: 2 },
  { lifecycle: 'media', state: 'failed', end: 'bad', count: 5 },
];

const NO_FILTER = { lifecycle: '', state: '', end: '', outcome: '' };

test('a count is the number of jobs that a click shows', () => {
  const all = facets(rows, named('media', 'book', 'batch'), NO_FILTER);
  assert.equal(all.total, 10);
  assert.equal(all.open, 3);
  assert.deepEqual(
    all.lifecycles.map((one) => `${one.name} ${one.count}`),
    ['media 5', 'book 0', 'batch 5'],
  );

  const bad = facets(rows, named('batch', 'media'), { ...NO_FILTER, end: 'bad' });
  assert.equal(bad.open, 3);
  assert.deepEqual(
    bad.lifecycles.map((one) => `${one.name} ${one.count}`),
    ['batch 2', 'media 5'],
  );

  const media = facets(rows, named('media', 'batch'), { ...NO_FILTER, lifecycle: 'media' });
  assert.equal(media.open, 0);
  assert.equal(media.total, 5);
  assert.equal(media.lifecycles.find((one) => one.name === 'batch')!.count, 5);
});

test('with an outcome chosen there are no counts, and only ended states', () => {
  const partly = facets(rows, named('batch'), { ...NO_FILTER, outcome: 'partly' });

  assert.equal(partly.open, 3);
  assert.equal(partly.lifecycles[0]!.count, null);
  assert.deepEqual(
    partly.lifecycles[0]!.states.map((state) => `${state.name} ${state.count}`),
    ['COMPLETED null', 'FAILED null', 'CANCELLED null'],
  );
});

test('without statistics from the server there are no counts', () => {
  const none = facets([], named('batch'), { ...NO_FILTER, lifecycle: 'batch', end: 'bad' });

  assert.equal(none.total, null);
  assert.deepEqual(none.lifecycles[0], {
    name: 'batch',
    count: null,
    states: [{ name: 'FAILED', end: 'bad', count: null }],
  });
});
