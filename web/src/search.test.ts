import assert from 'node:assert/strict';
import { test } from 'node:test';
import { first_found } from './search';
import type { Job, List } from './types';

const empty = (next: string | null): List<Job> => ({ items: [], next, searched: 5000 });

test('a search goes on over empty pages until it finds something', async () => {
  const asked: string[] = [];
  const found = await first_found((cursor) => {
    asked.push(cursor);
    return Promise.resolve(
      cursor === '7' ? { items: [{ id: 3 } as Job], next: '3', searched: 10 } : empty('7'),
    );
  }, '');
  assert.deepEqual(asked, ['', '7']);
  assert.equal(found.items.length, 1);
  assert.equal(found.next, '3');
  assert.equal(found.searched, 5010);
});

test('a search ends with the last page, with a cursor that stands still, and after 50 pages', async () => {
  assert.deepEqual(await first_found(() => Promise.resolve(empty(null)), ''), empty(null));
  assert.equal((await first_found(() => Promise.resolve(empty('7')), '7')).searched, 5000);
  let at = 1000;
  const far = await first_found(() => Promise.resolve(empty(String((at -= 1)))), '');
  assert.equal(far.searched, 250_000);
  assert.equal(far.next, '950');
});
