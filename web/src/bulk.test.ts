import assert from 'node:assert/strict';
import { test } from 'node:test';
import tables from '../mock/lifecycles.json';
import { preview } from './bulk';
import type { Job, Lifecycle } from './types';

const job = (id: number, lifecycle: string, state: string, end: Job['end'], allowed: string[]) =>
  ({ id, lifecycle, state, end, allowed }) as Job;

test('a preview says where each job goes and names those that stay', () => {
  const jobs = [
    job(1, 'batch', 'RUNNING', 'open', ['cancel', 'pause']),
    job(2, 'batch', 'RUNNING', 'open', ['cancel', 'pause']),
    job(3, 'media', 'queued', 'open', ['cancel']),
    job(4, 'batch', 'COMPLETED', 'good', []),
    job(5, 'relay', 'STREAMING', 'open', ['pause']),
  ];
  const shown = preview('cancel', jobs, tables as unknown as Lifecycle[]);

  assert.deepEqual(
    shown.groups.map((group) => `${group.jobs.length} ${group.becomes}`),
    ['2 batch: RUNNING → CANCELLED', '1 media: queued → failed'],
  );
  assert.deepEqual(
    shown.wont.map(({ job: one, why }) => `${one.id} ${why}`),
    ['4 has ended (COMPLETED)', '5 relay allows no cancel in STREAMING'],
  );
});

test('a retry moves the job, or makes a new one', () => {
  const jobs = [
    job(1, 'media', 'failed', 'bad', ['retry']),
    job(2, 'batch', 'COMPLETED', 'good', ['retry']),
    job(3, 'media', 'queued', 'open', []),
  ];
  const shown = preview('retry', jobs, tables as unknown as Lifecycle[]);

  assert.deepEqual(
    shown.groups.map((group) => group.becomes),
    ['media: failed → queued', 'batch: a new job tries again'],
  );
  assert.deepEqual(
    shown.wont.map(({ why }) => why),
    ['has not ended (queued)'],
  );
});
