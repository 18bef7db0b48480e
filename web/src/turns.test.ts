import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns';

test('a load of the same key waits for the one under way, and is one however often it was asked', () => {
  const turns = new Turns();

  assert.equal(turns.begin('a'), 1);
  assert.equal(turns.begin('a'), null);
  assert.equal(turns.begin('a'), null);

  assert.deepEqual(turns.end(1), { counts: true, another: true });
  assert.equal(turns.begin('a'), 2);
  assert.deepEqual(turns.end(2), { counts: true, another: false });
});

test('a load of another key replaces the one under way', () => {
  const turns = new Turns();
  turns.begin('a');
  turns.begin('a');

  assert.equal(turns.begin('b'), 2);

  assert.deepEqual(turns.end(1), { counts: false, another: false });
  assert.deepEqual(turns.end(2), { counts: true, another: false });
});

test('no answer counts twice, or after the page was left', () => {
  const turns = new Turns();
  turns.begin('a');
  turns.end(1);
  assert.equal(turns.end(1).counts, false);

  turns.begin('a');
  turns.stop();
  assert.equal(turns.end(2).counts, false);
});
