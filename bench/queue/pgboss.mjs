// pg-boss with batches of a thousand and two workers, which NOTIFY wakes where jobs come singly.
// Prints one line of JSON.

import pg from 'pg';
import { PgBoss } from 'pg-boss';
import {
  BATCH, CLIENTS, Done, JOBS, clients, latency, lives, requests, seconds, until,
} from './measure.mjs';

const [part] = process.argv.slice(2);
const connectionString = process.env.BENCH_PG;
const database = new pg.Client({ connectionString });
const work = { batchSize: BATCH, localConcurrency: 2, burstWhenBatchFull: true };

// A batch is completed after its handler has returned.
async function isSettled() {
  const { rows } = await database.query(
    "SELECT 1 FROM pgboss.job WHERE state <> 'completed' LIMIT 1");
  return rows.length === 0;
}

async function fresh(queue) {
  await database.query('DROP SCHEMA IF EXISTS pgboss CASCADE');
  const boss = new PgBoss({ connectionString, schedule: false, useListenNotify: true });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue('task', queue);
  return boss;
}

async function measureLives() {
  const boss = await fresh({});
  const begun = seconds();
  for (let i = 0; i < JOBS; i += BATCH)
    await boss.insert('task', requests(BATCH).map((data) => ({ data })));
  const added = seconds();
  await database.query('ANALYZE');  // Else the fetch can take a plan forty times as slow.
  const analyzed = seconds();
  let ran = 0;
  await boss.work('task', work, async (jobs) => void (ran += jobs.length));
  await until(async () => ran === JOBS && (await isSettled()));
  const ended = seconds();
  await boss.stop({ graceful: false });
  return lives(added - begun, ended - analyzed);
}

async function withWorker(measure) {
  const boss = await fresh({ notify: true });
  const done = new Done();
  await boss.work('task', work, async (jobs) => jobs.forEach((job) => done.tell(job.id)));
  const result = await measure(async () => done.wait(await boss.send('task', requests(1)[0])));
  await boss.stop({ graceful: false });
  return result;
}

await database.connect();
const result = { lives: [], clients: [], latency: [] };
if (part === 'lives') result.lives.push(await measureLives());
if (part === 'clients')
  for (const count of CLIENTS)
    result.clients.push(
      await withWorker((runOne) => clients(count, runOne, () => until(isSettled))));
if (part === 'latency') result.latency.push(await withWorker(latency));
await database.end();
console.log(JSON.stringify(result));
