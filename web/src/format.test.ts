import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, bytes, duration, limit_text, percent, share } from './format';

test('bytes have three digits and the unit that fits', () => {
  assert.deepEqual(
    [0, 1023, 1024, 1536, 10_240, 102_400, 1_048_575, 1_048_576, 5 * 2 ** 40].map(bytes),
    [
      '0 B',
      '1023 B',
      '1.00 KiB',
      '1.50 KiB',
      '10.0 KiB',
      '100 KiB',
      '1.00 MiB',
      '1.00 MiB',
      '5.00 TiB',
    ],
  );
});

test('durations name at most two units', () => {
  assert.deepEqual([0, 59, 60, 61, 600, 3600, 3660, 90_000, 200_000].map(duration), [
    '0 s',
    '59 s',
    '1 min',
    '1 min 1 s',
    '10 min',
    '1 h',
    '1 h 1 min',
    '25 h',
    '2 days',
  ]);
});

test('times are relative to now, past and future', () => {
  const now = Date.parse('2026-01-01T00:00:00.000Z');
  assert.equal(ago('2025-12-31T23:59:58.000Z', now), 'just now');
  assert.equal(ago('2025-12-31T23:59:00.000Z', now), '1 min ago');
  assert.equal(ago('2026-01-01T00:00:45.000Z', now), 'in 45 s');
  assert.equal(ago('not a time', now), 'not a time');
});

test('a speed limit is told with its end, by the day if that is not today', () => {
  const now = new Date(2026, 10, 17, 12, 0).getTime();
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 30).toISOString();
  assert.equal(
    limit_text({ bytes_per_second: 2 * 1024 * 1024, until: at(17, 18) }, now),
    'At most 2.00 MiB/s until 18:30',
  );
  assert.equal(
    limit_text({ bytes_per_second: null, until: at(18, 8) }, now),
    'No speed limit until 2026-11-18 08:30',
  );
  assert.equal(limit_text({ bytes_per_second: 2048, until: null }, now), 'At most 2.00 KiB/s');
  assert.equal(limit_text({ bytes_per_second: null, until: null }, now), '');
});

test('only a complete file is 100 %', () => {
  assert.equal(percent(0.999), '99 %');
  assert.equal(percent(1), '100 %');
  assert.equal(share(5, null), null);
  assert.equal(share(5, 0), null);
  assert.equal(share(15, 10), 1);
});
