import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancel_words, preview } from './bulk';
import { lifecycles, named } from './testing';
import type { Job } from './types';

const job = (id: number, lifecycle: string, state: string, end: Job['end'], allowed: string[]) =>
  ({ id, lifecycle, state, end, allowed }) as Job;

test('a preview shows the new state of each job and the jobs that stay unchanged', () => {
  const jobs = [
    job(1, 'batch', 'RUNNING', 'open', ['cancel', 'pause']),
    job(2, 'batch', 'RUNNING', 'open', ['cancel', 'pause']),
    job(3, 'media', 'queued', 'open', ['cancel']),
    job(4, 'batch', 'COMPLETED', 'good', []),
    job(5, 'relay', 'STREAMING', 'open', ['pause']),
  ];
  const shown = preview('cancel', jobs, lifecycles);

  assert.deepEqual(
    shown.groups.map((group) => `${group.jobs.length} ${group.becomes}`),
    ['2 batch: RUNNING → CANCELLED', '1 media: queued → failed'],
  );
  assert.deepEqual(
    shown.wont.map(({ job: one, why }) => `${one.id} ${why}`),
    ['4 has ended (COMPLETED)', '5 relay allows no cancel in STREAMING'],
  );
});

test('a retry moves the job or adds a new one', () => {
  const jobs = [
    job(1, 'media', 'failed', 'bad', ['retry']),
    job(2, 'batch', 'COMPLETED', 'good', ['retry']),
    job(3, 'media', 'queued', 'open', []),
  ];
  const shown = preview('retry', jobs, lifecycles);

  assert.deepEqual(
    shown.groups.map((group) => group.becomes),
    ['media: failed → queued', 'batch: a new job retries it'],
  );
  assert.deepEqual(
    shown.wont.map(({ why }) => why),
    ['has not ended (queued)'],
  );
});

test('the question before a cancel says that files are deleted only where the move does it', () => {
  assert.equal(
    cancel_words({ state: 'RUNNING' }, named('batch')),
    'The job ends as CANCELLED. haul deletes incomplete files.',
  );
  assert.equal(cancel_words({ state: 'queued' }, named('book')), 'The job ends as canceled.');
  assert.equal(cancel_words({ state: 'queued' }, undefined), 'The job ends as cancelled.');
});
