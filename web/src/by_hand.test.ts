import assert from 'node:assert/strict';
import { test } from 'node:test';
import { body_of, fix_of, is_same, may_import, plan_words, waits_for_hand } from './by_hand';
import type { ImportPlan, PlannedFile, User } from './types';

test('S1-21: an open job that cannot be read waits for a user, others do not', () => {
  for (const reason of [
    'cannot_parse',
    'ambiguous',
    'no_video',
    'no_library',
    'two_for_one_target',
    'destination_taken',
  ]) {
    assert.equal(waits_for_hand({ end: 'open', reason }), true, reason);
    assert.equal(waits_for_hand({ end: 'bad', reason }), false, reason);
  }
  for (const reason of [null, '', 'seeding', 'not_indexed'])
    assert.equal(waits_for_hand({ end: 'open', reason }), false, String(reason));
});

test('Z-16: the owner and operators may import, viewers may not', () => {
  const user = (id: number, role: string, scopes: string[]): User => ({
    id,
    name: 'u',
    role,
    scopes,
  });
  const job = { owner: 1 };
  assert.equal(may_import(job, user(1, 'user', ['read', 'add'])), true);
  assert.equal(may_import(job, user(2, 'user', ['read', 'add'])), false);
  assert.equal(may_import(job, user(2, 'operator', ['read', 'add', 'operate'])), true);
  assert.equal(may_import(job, user(1, 'viewer', ['read'])), false);
});

test('the body has what the user typed, without spaces, and nothing else', () => {
  assert.deepEqual(body_of({ whole: ' ', files: { a: '', b: '  ' } }, true), { dry_run: true });
  assert.deepEqual(body_of({ whole: ' S01 ', files: { 'b/2.mkv': 'skip ', a: '' } }, false), {
    as: 'S01',
    files: { 'b/2.mkv': 'skip' },
    dry_run: false,
  });
  assert.deepEqual(Object.keys(body_of({ whole: '', files: { __proto__x: 'S01E01' } }, true)), [
    'files',
    'dry_run',
  ]);
});

test('a preview is valid only for what it was made for', () => {
  const said = { whole: 'S01', files: { a: 'S01E01', b: '' } };
  assert.equal(is_same(said, { whole: ' S01', files: { b: '', a: 'S01E01 ' } }), true);
  assert.equal(is_same(said, { whole: 'S01', files: {} }), false);
  assert.equal(is_same(said, { whole: 'S02', files: { a: 'S01E01' } }), false);
});

test('a plan says how many files would go into the library', () => {
  const file = (target: string) => ({ source: 's', target }) as PlannedFile;
  const words = (targets: string[], problem: ImportPlan['problem'] = null) =>
    plan_words({ files: targets.map(file), problem });

  assert.equal(words(['a']), '1 file would go into the library');
  assert.equal(words(['a', 'b', '']), '2 files would go into the library, 1 file not');
  assert.equal(words(['']), 'Nothing would be imported');
  assert.equal(words([]), 'Nothing would be imported');
  assert.equal(words(['a'], { code: 'destination_taken' }), 'Nothing would be imported');
});

test('a fix for the command line is not shown beside the form', () => {
  assert.equal(fix_of("haul import JOB --as 'a.mkv=S01E02'"), '');
  assert.equal(fix_of(undefined), '');
  assert.equal(fix_of(null), '');
  assert.equal(fix_of('Choose a release in one file.'), 'Choose a release in one file.');
});
