import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receipt_rows, receipt_words } from './receipt';
import type { Item } from './types';

const with_evidence = (evidence: unknown, more: Partial<Item> = {}) =>
  ({ path: null, url: '', size: null, ...more, evidence }) as unknown as Item;

const words = (evidence: unknown) => receipt_words(with_evidence(evidence));

test('a receipt says in a few words by which rule the file was accepted', () => {
  assert.equal(words({ kind: 'etag', sha256: '9f86', size: 5 }), 'whole, by ETag and size');
  assert.equal(words({ kind: 'already_here', was: 'etag' }), 'was here already');
  assert.equal(
    words({ kind: 'size', beside: '/x/a.bin' }),
    'whole, by its size · newer than a.bin',
  );
  assert.equal(words({ kind: 'unverified', unchecked: true }), 'the certificate was not checked');
  assert.equal(
    words({ kind: 'already_here', unchecked: true }),
    'was here already · the certificate was not checked',
  );
  assert.equal(words({ kind: 'new_rule' }), 'new_rule');
  assert.equal(words(null), '');
  assert.equal(words([1]), '');
});

test('a full receipt has the rows of haul show --receipts, in their order, uncut', () => {
  const sha512 = '0123456789abcdef'.repeat(8);
  const item = with_evidence(
    {
      kind: 'already_here',
      was: 'etag',
      size: 1_234_567,
      landed_at: '2026-02-03T04:05:06Z',
      sha512,
      etag: 'W/"5-a"',
      last_modified: 'Mon, 01 Jan 2024 00:00:00 GMT',
      url: 'https://cdn.example/b',
      sources: 'https://a.example/f https://b.example/f',
      former_url: 'https://old.example/f',
      started_over: 'the new link has other bytes',
      ranges: [
        [0, 5],
        [5, 9],
      ],
      segments: 4,
      engine: 'yt-dlp',
      beside: '/srv/old.bin',
      decoded: true,
      unchecked: true,
      compared: true,
    },
    { path: '/srv/new.bin', url: 'https://a.example/f', size: 1_234_567 },
  );

  const rows = receipt_rows(item);

  assert.deepEqual(
    rows.map(({ name, values }) => `${name}: ${values.join(' | ')}`),
    [
      'file: /srv/new.bin',
      'rule: already_here, was etag, its bytes were compared, the certificate was not checked',
      'size: 1,234,567 bytes, decoded',
      `sha512: ${sha512}`,
      'etag: W/"5-a"',
      'last modified: Mon, 01 Jan 2024 00:00:00 GMT',
      'url: https://a.example/f',
      'final url: https://cdn.example/b',
      'former url: https://old.example/f',
      'started over: the new link has other bytes',
      'sources: https://a.example/f | https://b.example/f',
      'ranges: 2',
      'segments: 4',
      'engine: yt-dlp',
      'beside: /srv/old.bin',
      'landed: 2026-02-03T04:05:06Z',
    ],
  );
  const of = (what: string) => rows.filter((row) => row.what === what).map((row) => row.name);
  assert.deepEqual(of('url'), ['url', 'final url', 'former url', 'sources']);
  assert.deepEqual(of('time'), ['landed']);
});

test('a receipt says of which version its ranges are only if haul knows', () => {
  const ranges = (of: number, more: object = {}) =>
    receipt_rows(
      with_evidence({ kind: 'size', ranges: Array.from({ length: of }, () => [0, 1]), ...more }),
    ).find(({ name }) => name === 'ranges')?.values[0];

  assert.equal(ranges(2), '2');
  assert.equal(ranges(31), '31');
  assert.equal(ranges(32), '32 or more');
  assert.equal(ranges(2, { etag: '"a"' }), '2, each of this version');
  assert.equal(ranges(2, { last_modified: 'x' }), '2, each of this version');
  assert.equal(ranges(2, { etag: 'W/"a"', last_modified: 'x' }), '2');
  assert.equal(ranges(2, { etag: '"a"', sources: 'u v' }), '2');
  assert.equal(ranges(2, { etag: '"a"', former_url: 'u' }), '2');
});

test('a receipt has no row for what it does not know, and none without a rule', () => {
  assert.deepEqual(
    receipt_rows(with_evidence({ kind: 'size', ranges: [], etag: 7, sha1: null, sources: '' })),
    [{ name: 'rule', values: ['size'] }],
  );
  for (const evidence of [null, [1], 'size', {}, { landed_at: '2026-02-03T04:05:06Z' }])
    assert.deepEqual(receipt_rows(with_evidence(evidence)), []);
});
