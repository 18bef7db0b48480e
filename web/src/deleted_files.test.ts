import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files_label, own_files, what_became } from './deleted_files';
import type { Counts, DeletedFiles } from './types';

const counts = (downloaded: number, size?: number) => ({
  counts: { downloaded, bytes: size } as Counts,
});
const files: DeletedFiles = {
  removed: 0,
  bytes: 0,
  gone: 0,
  kept: 0,
  reasons: [],
  waits_for: null,
  asked_at: '2026-02-03T04:05:06Z',
  ended_at: '2026-02-03T04:05:07Z',
};

test('the files of jobs are those they have downloaded', () => {
  assert.deepEqual(own_files([]), { files: 0, bytes: 0 });
  assert.deepEqual(own_files([counts(2, 1500), counts(0), counts(1, 36)]), {
    files: 3,
    bytes: 1536,
  });
});

test('the checkbox names how many files there are, and their size', () => {
  assert.equal(files_label({ files: 1, bytes: 512 }, 'its'), 'Also delete its 1 file (512 B)');
  assert.equal(
    files_label({ files: 1200, bytes: 2048 }, 'their'),
    'Also delete their 1,200 files (2.00 KiB)',
  );
});

test('what became of the files names those that are removed, gone and kept', () => {
  assert.equal(what_became({ ...files, removed: 2, bytes: 2048 }), '2 removed (2.00 KiB)');
  assert.equal(
    what_became({ ...files, gone: 1, kept: 3 }),
    '0 removed (0 B), 1 was gone already, 3 kept',
  );
  assert.equal(
    what_became({ ...files, gone: 2, ended_at: null }),
    '0 removed (0 B), 2 were gone already; not done yet',
  );
  assert.equal(
    what_became({ ...files, ended_at: null, waits_for: '/in is read-only' }),
    '0 removed (0 B); waits: /in is read-only',
  );
});
