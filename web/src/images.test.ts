import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  amount_words,
  block_costs,
  can_pay,
  given_up,
  IMAGES,
  next_step,
  pictures_of,
  price_words,
} from './images';
import { errand, named } from './testing';
import type { Json, Lifecycle } from './types';

const table = named(IMAGES);
const priced = (price: number): Lifecycle => ({ ...table, price });
const wallet = (available: number) => ({ granted: 10, available, reserved: 0, spent: 0 });

test('the page of images is about a lifecycle that exists and takes a prompt', () => {
  assert.ok(table.request.some((field) => field.name === 'prompt' && field.required));
});

test('S4-14: jobs to review are in the state that giving up leads to', () => {
  const state = table.states.find((one) => one.name === given_up(table))!;
  assert.equal(state.end, 'bad');
  assert.equal(given_up(errand), '');
  assert.equal(given_up(undefined), '');
});

test('S4-10: the form says that a block for safety costs the price, if the table says so', () => {
  assert.equal(block_costs(table), true);
  assert.deepEqual(price_words(priced(1)), [
    'An image costs 1 credit.',
    'If the provider blocks the prompt for safety, 1 credit is spent and no image comes.',
    'After any other failure haul gives the credits back.',
  ]);
  assert.match(price_words(priced(3))[1]!, /, 3 credits are spent and no image comes\.$/);
  const kind = {
    ...priced(2),
    moves: table.moves.map((move) => ({ ...move, effects: ['refund_credit'] })),
  };
  assert.match(price_words(kind)[1]!, /, nothing is spent\.$/);
  assert.match(price_words({ ...priced(2), refunds_rejected: true })[1]!, /, nothing is spent\.$/);
  assert.deepEqual(price_words(priced(0)), ['Images are free.']);
  assert.deepEqual(price_words(errand), []);
});

test('an image can be paid with exactly its price, not with less', () => {
  assert.equal(can_pay(priced(2), wallet(2)), true);
  assert.equal(can_pay(priced(2), wallet(1)), false);
  assert.equal(can_pay(priced(2), null), true);
  assert.equal(can_pay(table, wallet(0)), true);
});

test('pictures come from this server only, with a thumbnail if there is one', () => {
  const asset = { id: 4, url: '/api/v1/assets/4/file', size: 9 };
  const shown = { ...asset, thumbnail_url: '/api/v1/assets/4/file?size=thumbnail' };
  assert.deepEqual(pictures_of({ assets: [shown] }), [shown]);
  assert.deepEqual(pictures_of({ assets: [asset] }), [{ ...asset, thumbnail_url: asset.url }]);
  for (const url of [
    'https://elsewhere.example/a.png',
    '//elsewhere.example/api/v1/assets/4/file',
    '/api/v1/assets/../file',
    'javascript:alert(1)',
    7,
  ])
    assert.deepEqual(pictures_of({ assets: [{ id: 4, url }] }), [], String(url));
  const others: Json[] = [null, 'x', [], {}, { assets: 'x' }, { assets: [null, 'x', [1]] }];
  for (const other of others) assert.deepEqual(pictures_of(other), []);
});

test('a refusal names the next step', () => {
  assert.match(next_step('prompt_blocked'), /Nothing was spent/);
  assert.equal(next_step('not_known_here'), '');
});

test('the history shows what each entry did to the available credits', () => {
  const words = (kind: string, amount: number) => amount_words({ kind, amount });
  assert.equal(words('grant', 1000), '+1,000');
  assert.equal(words('reserve', 2), '−2');
  assert.equal(words('reserve', -2), '−2');
  assert.equal(words('refund', 2), '+2');
  assert.equal(words('spend', 2), '2');
});
