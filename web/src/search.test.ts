import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filled } from './search';
import type { List } from './types';

const page = (items: number[], next: string | null): List<number> => ({
  items,
  next,
  searched: 5000,
});
const empty = (next: string | null) => page([], next);

// Answers with these pages in turn; `asked` records each request.
function server(pages: List<number>[]) {
  const asked: string[] = [];
  const ask = ({ cursor, limit }: { cursor: string; limit: number }) => {
    asked.push(`${cursor} ${limit}`);
    return Promise.resolve(pages[asked.length - 1]!);
  };
  return { ask, asked };
}

test('a search fills its page from the 2nd and 3rd page of the server, up to the end', async () => {
  const { ask, asked } = server([empty('9'), page([8], '7'), page([6], null)]);
  const found = await filled(ask, { cursor: '', limit: 3 });
  assert.deepEqual(asked, [' 3', '9 3', '7 2']);
  assert.deepEqual(found, { items: [8, 6], next: null, searched: 15_000 });
});

test('a search that has exactly its limit asks no more', async () => {
  const { ask, asked } = server([page([8], '7'), page([6], '5')]);
  const found = await filled(ask, { cursor: '10', limit: 2 });
  assert.deepEqual(asked, ['10 2', '7 1']);
  assert.deepEqual(found, { items: [8, 6], next: '5', searched: 10_000 });
});

test('a search ends with the last page, with a cursor that stands still, and after 50 pages', async () => {
  const of = { cursor: '7', limit: 2 };
  assert.deepEqual(await filled(() => Promise.resolve(empty(null)), of), empty(null));
  assert.equal((await filled(() => Promise.resolve(empty('7')), of)).searched, 5000);
  let at = 1000;
  const far = await filled(() => Promise.resolve(empty(String((at -= 1)))), of);
  assert.equal(far.searched, 250_000);
  assert.equal(far.next, '950');
});
