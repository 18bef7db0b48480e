import assert from 'node:assert/strict';
import { test } from 'node:test';
import { can_replace_link, filters_of, is_moving, table_of } from './items';
import { errand, lifecycles, named } from './testing';
import type { Counts, End, Lifecycle } from './types';

const counts = (more: Partial<Counts> = {}): Counts => ({
  total: 9,
  completed: 5,
  downloaded: 3,
  skipped: 2,
  failed: 1,
  cancelled: 0,
  percentage: 55.6,
  ...more,
});
const said = (table: Lifecycle | undefined, is_open: boolean, more: Partial<Counts> = {}) =>
  filters_of(table, counts(more), is_open).map((one) => `${one.state} ${one.count}`);

test('the filters of items are the ended states that have some, with their counts', () => {
  const items = table_of([{ state: 'PENDING' }, { state: 'SKIPPED' }], [errand, ...lifecycles]);

  assert.equal(items, named('item'));
  assert.deepEqual(said(items, false), ['COMPLETED 3', 'FAILED 1', 'SKIPPED 2']);
  assert.deepEqual(said(items, false, { failed: 0, cancelled: 4 }), [
    'COMPLETED 3',
    'SKIPPED 2',
    'CANCELLED 4',
  ]);
});

test('an open job also has a filter for items in transfer', () => {
  assert.equal(said(named('item'), true)[0], 'DOWNLOADING null');
  assert.ok(is_moving('DOWNLOADING', named('item')));
  assert.ok(!is_moving('PENDING', named('item')));
  assert.ok(!is_moving('DOWNLOADING', undefined));
});

test('items of an unknown lifecycle have filters without counts, or none', () => {
  const parts: Lifecycle = { ...errand, name: 'errand_part', request: [] };

  assert.equal(table_of([{ state: 'there' }], [...lifecycles, parts]), parts);
  assert.deepEqual(said(parts, true), [
    'carrying null',
    'there null',
    'dropped null',
    'called_off null',
  ]);
  assert.equal(table_of([{ state: 'elsewhere' }], [...lifecycles, parts]), undefined);
  assert.deepEqual(said(undefined, true), []);
});

test('an item that ended without its file can get another link, unless a program fetched it', () => {
  const can = (end: End, key = 'https://h:80/a') => can_replace_link({ end, key });

  assert.deepEqual(
    [can('bad'), can('stopped'), can('good'), can('open')],
    [true, true, false, false],
  );
  assert.equal(can('bad', 'gallery-dl:3:https://h/album'), false);
  assert.equal(can('bad', 'yt-dlp:0:https://h/film'), false);
});
