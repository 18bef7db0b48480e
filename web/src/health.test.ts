import assert from 'node:assert/strict';
import { test } from 'node:test';
import { store_trouble } from './health';

test('a store in trouble is told with its detail', () => {
  const body = {
    status: 'not_ready',
    troubles: [
      { part: 'qbittorrent', code: 'client_unreachable', detail: 'away' },
      { part: 'store', code: 'disk_full', detail: 'the disk is full' },
    ],
  };
  assert.equal(store_trouble(body), 'haul takes no work: the disk is full');
});

test('anything else is no trouble of the store', () => {
  const client = { part: 'qbittorrent', code: 'x', detail: 'away' };
  for (const body of [
    { status: 'ready' },
    { status: 'ready', troubles: [client] },
    { troubles: 'store' },
    { troubles: [null, 'store'] },
    null,
    'store',
  ])
    assert.equal(store_trouble(body), null);
});
