import assert from 'node:assert/strict';
import { test } from 'node:test';
import { store_trouble } from './health';

test('store trouble becomes a sentence, even with an unknown code', () => {
  const said = (trouble: object) => {
    const client = { part: 'qbittorrent', code: 'client_unreachable' };
    return store_trouble({
      status: 'not_ready',
      troubles: [client, { part: 'store', ...trouble }],
    });
  };
  assert.match(said({ code: 'disk_full' })!, /^haul accepts no work\. The disk .* is full/);
  assert.match(said({ code: 'store_busy' })!, /^haul accepts no work\. .* cannot write/);
  for (const other of [{ code: 'new_one' }, { code: 'constructor' }, { code: null }, {}])
    assert.match(said(other)!, /^haul accepts no work\. The log says/);
});

test('anything else is not store trouble', () => {
  const client = { part: 'qbittorrent', code: 'x' };
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
