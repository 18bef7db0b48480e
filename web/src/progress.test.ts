import assert from 'node:assert/strict';
import { test } from 'node:test';
import { item_words, progress_words } from './progress';

const MIB = 2 ** 20;

test('progress of a known size has a share and a time', () => {
  const known = { have: MIB, size: 4 * MIB, speed: MIB, eta: 3 };
  assert.deepEqual(progress_words(known, 'short'), ['25 %', '1.00 MiB/s', '3 s']);
  assert.deepEqual(progress_words(known, 'long'), [
    '25 %',
    '1.00 MiB of 4.00 MiB',
    '1.00 MiB/s',
    '3 s left',
  ]);
});

test('progress of an unknown size says at least, or only what is here', () => {
  const some = { have: MIB, size: null, speed: MIB, eta: null, size_least: 4 * MIB, eta_least: 3 };
  assert.deepEqual(progress_words(some, 'long'), [
    '1.00 MiB of at least 4.00 MiB',
    '1.00 MiB/s',
    'at least 3 s left',
  ]);
  const none = { have: MIB, size: null, speed: 0, eta: null, size_least: null, eta_least: null };
  assert.deepEqual(progress_words(none, 'long'), ['1.00 MiB']);
});

test('an item that waits for another try says why and when', () => {
  const item = { n: 1, name: 'a', have: 1, size: 4, speed: 0, eta: null };
  const status = 'Retrying in 4 s (http_503)';
  assert.deepEqual(item_words({ ...item, status, retry_in: 4, reason: 'http_503' }), [
    'next try in 4 s: the server answered 503',
  ]);
  assert.deepEqual(item_words({ ...item, status: 'Downloading', retry_in: null }), ['25 %']);
});
