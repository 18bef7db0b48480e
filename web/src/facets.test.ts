import assert from 'node:assert/strict';
import { test } from 'node:test';
import { facets } from './facets';
import tables from '../mock/lifecycles.json';
import type { Lifecycle, StatRow } from './types';

const named = (...names: string[]) =>
  names.map((name) => (tables as unknown as Lifecycle[]).find((one) => one.name === name)!);

const rows: StatRow[] = [
  { lifecycle: 'batch', state: 'RUNNING', end: 'open', count: 3 },
  { lifecycle: 'batch', state: 'FAILED', end: 'bad', count: 2 },
  { lifecycle: 'media', state: 'failed', end: 'bad', count: 5 },
];

test('a count is what a click on it would show', () => {
  const all = facets(rows, named('media', 'book', 'batch'), { lifecycle: '', state: '', end: '' });
  assert.deepEqual(all.ends, { open: 3, good: 0, bad: 7, stopped: 0 });
  assert.deepEqual(
    all.lifecycles.map((one) => `${one.name} ${one.count}`),
    ['media 5', 'book 0', 'batch 5'],
  );

  const bad = facets(rows, named('batch', 'media'), { lifecycle: '', state: '', end: 'bad' });
  assert.deepEqual(bad.ends.open, 3);
  assert.deepEqual(
    bad.lifecycles.map((one) => `${one.name} ${one.count}`),
    ['batch 2', 'media 5'],
  );

  const media = facets(rows, named('media', 'batch'), { lifecycle: 'media', state: '', end: '' });
  assert.deepEqual(media.ends, { open: 0, good: 0, bad: 5, stopped: 0 });
  assert.equal(media.lifecycles.find((one) => one.name === 'batch')!.count, 5);
});

test('where the server does not say how many there are, nothing is counted', () => {
  const none = facets([], named('batch'), { lifecycle: 'batch', state: '', end: 'bad' });

  assert.equal(none.total, null);
  assert.deepEqual(none.lifecycles[0], {
    name: 'batch',
    count: null,
    states: [{ name: 'FAILED', end: 'bad', count: null }],
  });
});
