import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Worker } from './types';
import { LEASE_MS, listen, NO_WORKERS, type Workers } from './workers';

const START = Date.parse('2026-02-02T02:40:00.000Z');
const worker = (id: number, beat: number, beat_at_ms = 0): Worker => ({
  id,
  name: `machine:${id}`,
  beat,
  started_at: new Date(START).toISOString(),
  beat_at: new Date(START + beat_at_ms).toISOString(),
});
const said = ({ live, silent }: Workers) =>
  `live ${live.map((one) => one.id).join(' ')} silent ${silent.map((one) => one.id).join(' ')}`;

test('a worker whose heartbeat stands still for more than a lease is silent', () => {
  const first = listen(NO_WORKERS, [worker(1, 5), worker(2, 9)], 100);
  assert.equal(said(first), 'live 1 2 silent ');

  const lease = listen(first, [worker(1, 5), worker(2, 13)], 100 + LEASE_MS);
  assert.equal(said(lease), 'live 1 2 silent ');

  const later = listen(lease, [worker(1, 5), worker(2, 14)], 101 + LEASE_MS);
  assert.equal(said(later), 'live 2 silent 1');
});

test('a silent worker that beats again is live again', () => {
  const silent = listen(listen(NO_WORKERS, [worker(1, 5)], 0), [worker(1, 5)], LEASE_MS + 1);
  assert.equal(said(silent), 'live  silent 1');
  assert.equal(said(listen(silent, [worker(1, 6)], LEASE_MS + 2)), 'live 1 silent ');
});

test('at first a worker is silent if it is more than a lease behind the newest heartbeat', () => {
  const of = (behind_ms: number) => listen(NO_WORKERS, [worker(1, 5, -behind_ms), worker(2, 9)], 0);
  assert.equal(said(of(LEASE_MS)), 'live 1 2 silent ');
  assert.equal(said(of(LEASE_MS + 1)), 'live 2 silent 1');
});

test('a worker whose clock is wrong is live as soon as its heartbeat moves', () => {
  const hour = 3_600_000;
  const first = listen(NO_WORKERS, [worker(1, 5, -hour), worker(2, 9)], 0);
  assert.equal(said(first), 'live 2 silent 1');
  const second = listen(first, [worker(1, 6, -hour), worker(2, 10)], 2_000);
  assert.equal(said(second), 'live 1 2 silent ');
});

test('a worker that the server no longer lists is forgotten', () => {
  const first = listen(NO_WORKERS, [worker(1, 5), worker(2, 9)], 0);
  const second = listen(first, [worker(2, 10)], 1_000);
  assert.equal(said(second), 'live 2 silent ');
  assert.equal(said(listen(second, [], 2_000)), 'live  silent ');
});
