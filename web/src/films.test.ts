import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILMS, kind_of_film, release_of } from './films';
import { named } from './testing';

test('the library lists jobs of a lifecycle that exists and has films', () => {
  const kind = named(FILMS).request.find((field) => field.name === 'kind')!;
  assert.deepEqual(kind.values, ['movie', 'series']);
});

test('a film and a series are told apart by the kind, else by season or episode', () => {
  const kind = (request: Record<string, string | number>) => kind_of_film({ request });
  assert.equal(kind({ kind: 'movie', season: 1 }), 'film');
  assert.equal(kind({ kind: 'series' }), 'series');
  assert.equal(kind({ season: 0 }), 'series');
  assert.equal(kind({ episode: 3 }), 'series');
  assert.equal(kind({ title: 'A' }), '');
  assert.equal(release_of({ request: { release_name: 'A.2020' } }), 'A.2020');
  assert.equal(release_of({ request: {} }), '');
});
