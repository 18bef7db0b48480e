import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receipt_words } from './receipt';
import type { Item } from './types';

const with_evidence = (evidence: unknown) => ({ evidence }) as unknown as Item;

test('a receipt says by which rule the file was accepted, and its hash', () => {
  assert.deepEqual(receipt_words(with_evidence({ kind: 'etag', sha256: '9f86', size: 5 })), [
    'whole, by ETag and size',
    'sha256 9f86',
  ]);
  assert.deepEqual(receipt_words(with_evidence({ kind: 'already_here', was: 'etag' })), [
    'was here already',
  ]);
  assert.deepEqual(receipt_words(with_evidence({ kind: 'size', beside: '/x/a.bin' })), [
    'whole, by its size',
    'newer than a.bin',
  ]);
  assert.deepEqual(receipt_words(with_evidence({ kind: 'unverified', unchecked: true })), [
    'the certificate was not checked',
  ]);
  assert.deepEqual(receipt_words(with_evidence({ kind: 'already_here', unchecked: true })), [
    'was here already',
    'the certificate was not checked',
  ]);
  assert.deepEqual(
    receipt_words(with_evidence({ kind: 'pieces', sources: 'http://a/f http://b/f' })),
    ['proven by the hashes of its pieces', 'from http://a/f and http://b/f'],
  );
});

test('an item without a receipt, or with an unknown one, says nothing wrong', () => {
  assert.deepEqual(receipt_words(with_evidence(null)), []);
  assert.deepEqual(receipt_words(with_evidence([1])), []);
  assert.deepEqual(receipt_words(with_evidence({ kind: 'new_rule' })), ['new_rule']);
});
