import assert from 'node:assert/strict';
import { test } from 'node:test';
import { book_path, end_of_asset, holdings_of } from './books';
import { route_of } from './route';
import type { Asset, Book, Job } from './types';

const asset = (media_type: string, status = 'available') => ({ media_type, status }) as Asset;
const job = (id: number, media_type: string) => ({ id, request: { media_type } }) as unknown as Job;
const book = (assets: Asset[], open_jobs: Job[]): Book => ({
  id: 'b1',
  title: 'Dune',
  shelf: 'library',
  assets,
  open_jobs,
});

test('text and audio come first, other kinds follow', () => {
  const held = holdings_of(book([asset('comic'), asset('audio')], [job(2, 'text'), job(1, 'map')]));
  assert.deepEqual(
    held.map((one) => one.kind),
    ['text', 'audio', 'comic', 'map'],
  );
  assert.equal(held[0]!.asset, null);
  assert.equal(held[0]!.job!.id, 2);
  assert.equal(held[1]!.asset!.media_type, 'audio');
  assert.equal(held[1]!.job, null);
});

test('of two open jobs for one kind the newest is shown', () => {
  assert.equal(holdings_of(book([], [job(9, 'text'), job(3, 'text')]))[0]!.job!.id, 9);
});

test('the status of a file decides its colour', () => {
  assert.equal(end_of_asset(asset('text')), 'good');
  assert.equal(end_of_asset(asset('text', 'missing')), 'bad');
  assert.equal(end_of_asset(asset('text', 'deleted')), 'stopped');
});

test('the path of a book leads back to it for any id', () => {
  for (const id of ['b1', 'a b', '978-3.16', 'ü%41?#&', '<img>'])
    assert.deepEqual(route_of(book_path(id)), { page: 'book', id });
  assert.deepEqual(route_of('/library'), { page: 'library' });
  assert.deepEqual(route_of('/library/%E0%A4%A'), { page: 'lost' });
  assert.deepEqual(route_of('/library/a/b'), { page: 'lost' });
});
