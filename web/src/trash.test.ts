import assert from 'node:assert/strict';
import { test } from 'node:test';
import { empty_all, groups_of } from './trash';
import type { Emptied, TrashEntry } from './types';

test('the trash stands by job, in the order of the list', () => {
  const entry = (job: number, path: string) => ({ job, path }) as TrashEntry;
  const groups = groups_of([entry(3, 'a'), entry(3, 'b'), entry(7, 'a')]);

  assert.deepEqual(
    groups.map((group) => `${group.job}: ${group.entries.map((one) => one.path).join(' ')}`),
    ['3: a b', '7: a'],
  );
  assert.deepEqual(groups_of([]), []);
});

test('Z-4: emptying goes on while there is more and something is deleted, with a limit', async () => {
  const run = async (answers: Partial<Emptied>[], steps_max = 10) => {
    let steps = 0;
    const step = async () => ({
      files: 1,
      bytes: 10,
      kept: [],
      more: true,
      ...answers[Math.min(steps++, answers.length - 1)],
    });
    const { files, bytes, kept, more } = await empty_all(step, steps_max);
    return `${steps} steps: ${files} files, ${bytes} bytes, kept ${kept.length}, more ${more}`;
  };

  assert.equal(await run([{ more: false }]), '1 steps: 1 files, 10 bytes, kept 0, more false');
  assert.equal(
    await run([{}, { more: false, kept: ['a stays'] }]),
    '2 steps: 2 files, 20 bytes, kept 1, more false',
  );
  assert.equal(
    await run([{}, { files: 0, bytes: 0 }]),
    '2 steps: 1 files, 10 bytes, kept 0, more false',
  );
  assert.equal(await run([{}], 3), '3 steps: 3 files, 30 bytes, kept 0, more true');
});
