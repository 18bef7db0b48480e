import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look_of, state_of } from './outcome';

test('Z-25: the look of an ended job follows its outcome, not its state', () => {
  assert.equal(look_of({ end: 'good', outcome: 'whole' }), 'good');
  assert.equal(look_of({ end: 'good', outcome: 'partly' }), 'partly');
  assert.equal(look_of({ end: 'good', outcome: 'nothing' }), 'bad');
  assert.equal(look_of({ end: 'bad', outcome: 'partly' }), 'partly');
  assert.equal(look_of({ end: 'stopped', outcome: 'nothing' }), 'stopped');
  assert.equal(look_of({ end: 'open', outcome: null }), 'open');
});

test('Z-25: the text adds the outcome to the state', () => {
  const said = (end: 'good' | 'bad', outcome: 'whole' | 'partly' | 'nothing') =>
    state_of({ state: 'COMPLETED', end, outcome });
  assert.equal(said('good', 'whole'), 'COMPLETED');
  assert.equal(said('good', 'partly'), 'COMPLETED, partly');
  assert.equal(said('good', 'nothing'), 'COMPLETED, nothing arrived');
  assert.equal(said('bad', 'nothing'), 'COMPLETED');
});
