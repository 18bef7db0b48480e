// BullMQ, dropping jobs when they are done. Whether Redis flushes every write is the server's
// setting. Prints one line of JSON.

import { Queue, Worker } from 'bullmq';
import {
  BATCH, CLIENTS, Done, JOBS, clients, latency, lives, requests, seconds, until,
} from './measure.mjs';

const [part] = process.argv.slice(2);
const connection = { host: '127.0.0.1', port: Number(process.env.BENCH_REDIS_PORT) };
const concurrency = 200;

async function fresh() {
  const queue = new Queue('task', { connection, defaultJobOptions: { removeOnComplete: true } });
  await queue.obliterate({ force: true });
  return queue;
}

async function measureLives() {
  const queue = await fresh();
  let done = 0;
  const worker = new Worker('task', async () => {}, { connection, concurrency, autorun: false });
  worker.on('completed', () => ++done);
  await worker.waitUntilReady();
  const begun = seconds();
  for (let i = 0; i < JOBS; i += BATCH)
    await queue.addBulk(requests(BATCH).map((data) => ({ name: 'task', data })));
  const added = seconds();
  worker.run();
  await until(() => done === JOBS);
  const ended = seconds();
  await worker.close();
  await queue.close();
  return lives(added - begun, ended - added);
}

// A client is told when its job's end is flushed, a pickup ends when the handler begins.
async function withWorker(told, measure) {
  const queue = await fresh();
  const done = new Done();
  const handler = async (job) => void (told === 'begun' && done.tell(job.id));
  const worker = new Worker('task', handler, { connection, concurrency });
  if (told === 'completed') worker.on('completed', (job) => done.tell(job.id));
  await worker.waitUntilReady();
  const result = await measure(async () => {
    const job = await queue.add('task', requests(1)[0]);
    return done.wait(job.id);
  });
  await worker.close();
  await queue.close();
  return result;
}

const result = { lives: [], clients: [], latency: [] };
if (part === 'lives') result.lives.push(await measureLives());
if (part === 'clients')
  for (const count of CLIENTS)
    result.clients.push(
      await withWorker('completed', (runOne) => clients(count, runOne, async () => {})));
if (part === 'latency') result.latency.push(await withWorker('begun', latency));
console.log(JSON.stringify(result));
