import assert from 'node:assert/strict';
import { test } from 'node:test';
import { is_busy, look_of, state_of } from './outcome';

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

test('a job that waits for its host says so, and an ended one does not', () => {
  const waits = { have: 0, size: null, speed: 0, eta: null, waits_for: 'h.example' };
  const said = (end: 'open' | 'good') => state_of({ state: 'RUNNING', end, outcome: null }, waits);
  assert.equal(said('open'), 'waiting for h.example');
  assert.equal(said('good'), 'RUNNING');
  assert.equal(
    state_of({ state: 'RUNNING', end: 'open', outcome: null }, { ...waits, waits_for: null }),
    'RUNNING',
  );
});

test('a job whose items all wait for another try says so and is not busy', () => {
  const waits = { have: 0, size: null, speed: 0, eta: null, retry_in: 20, retry_reason: 'timeout' };
  assert.equal(
    state_of({ state: 'RUNNING', end: 'open', outcome: null }, waits),
    'waiting to try again',
  );
  assert.equal(is_busy({ worker: 1, paused: false }, waits), false);
  assert.equal(is_busy({ worker: 1, paused: false }, { ...waits, retry_in: null }), true);
});

test('a job is busy while a worker or a client moves it, not while it waits or is paused', () => {
  const moving = { have: 1, size: null, speed: 1, eta: null };
  const waits = { ...moving, waits_for: 'h.example' };
  assert.equal(is_busy({ worker: 1, paused: false }, moving), true);
  assert.equal(is_busy({ worker: 1, paused: false }, null), true);
  assert.equal(is_busy({ worker: null, paused: false }, moving), true);
  assert.equal(is_busy({ worker: null, paused: false }, null), false);
  assert.equal(is_busy({ worker: null, paused: false }, { ...moving, resting: true }), false);
  assert.equal(is_busy({ worker: 1, paused: false }, waits), false);
  assert.equal(is_busy({ worker: null, paused: true }, moving), false);
});
