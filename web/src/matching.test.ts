import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act_on_all, question } from './matching';
import type { JobActed } from './types';

const part = (ids: number[], refused: number[], next: string | null): JobActed => ({
  items: ids.map((id) => ({
    id,
    state: 'RUNNING',
    outcome: refused.includes(id) ? 'refused' : 'done',
  })),
  next,
  matched: ids.length,
  acted: ids.length - refused.length,
});

test('all parts are asked for, each with the cursor of the one before, and added up', async () => {
  const parts = [
    part([9, 8], [8], '8'),
    part([], [], '5'),
    { ...part([4], [], null), files: 2, bytes: 30 },
  ];
  const asked: (string | undefined)[] = [];
  const seen: number[] = [];
  const sum = await act_on_all(
    async (cursor) => {
      asked.push(cursor);
      return parts[asked.length - 1]!;
    },
    (so_far) => seen.push(so_far.acted),
  );

  assert.deepEqual(asked, [undefined, '8', '5']);
  assert.deepEqual(seen, [1, 1, 2]);
  assert.equal(sum.matched, 3);
  assert.deepEqual([sum.files, sum.bytes], [2, 30]);
  assert.deepEqual(
    sum.refused.map((one) => one.id),
    [8],
  );
});

test('the question names how many jobs match, change and stay as they are', () => {
  const sum = { matched: 1200, acted: 1100, refused: [], files: 0, bytes: 0 };
  assert.equal(
    question('cancel', sum),
    '1,200 jobs match the filter; cancel acts on 1,100 of them and leaves 100 unchanged.',
  );
  assert.equal(
    question('delete', { ...sum, matched: 2, acted: 2 }),
    '2 jobs match the filter; delete acts on 2 of them.',
  );
  assert.equal(
    question('retry', { ...sum, matched: 1, acted: 0 }),
    '1 job matches; none of them allows retry now.',
  );
});
