import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRIORITIES, priority_word } from './priority';

test('every priority of the server has a word, and an unknown one shows its number', () => {
  assert.deepEqual(
    PRIORITIES.map((one) => `${one.value} ${priority_word(one.value)}`),
    ['1 high', '0 normal', '-1 low'],
  );
  assert.equal(priority_word(7), '7');
});
