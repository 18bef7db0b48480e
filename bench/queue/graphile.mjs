// graphile-worker as its page on performance advises: jobs are fetched into a local queue and
// completed in batches. Prints one line of JSON.

import { EventEmitter } from 'node:events';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import {
  BATCH, CLIENTS, Done, JOBS, clients, latency, lives, requests, seconds, until,
} from './measure.mjs';

const [part] = process.argv.slice(2);
const logger = new Logger(() => () => {});
const worker = {
  concurrentJobs: 500,
  localQueue: { size: BATCH },
  completeJobBatchDelay: 0,  // Longer delays were tried: none was faster, and single jobs wait.
  logger,
};

const pgPool = new pg.Pool({ connectionString: process.env.BENCH_PG, max: 10 });
pgPool.on('error', (error) => console.error(error));  // It warns if nobody listens.
pgPool.on('connect', (client) => client.on('error', (error) => console.error(error)));

async function fresh() {
  await pgPool.query('DROP SCHEMA IF EXISTS graphile_worker CASCADE');
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  return utils;
}

// A job's row goes when it is completed, which is some time after its task has run.
async function isSettled() {
  const { rows } = await pgPool.query('SELECT 1 FROM graphile_worker._private_jobs LIMIT 1');
  return rows.length === 0;
}

function start(task, events) {
  const taskList = { task };
  return run({ preset: { worker }, pgPool, taskList, events, crontab: '', noHandleSignals: true });
}

async function measureLives() {
  const utils = await fresh();
  const begun = seconds();
  for (let i = 0; i < JOBS; i += BATCH)
    await utils.addJobs(requests(BATCH).map((payload) => ({ identifier: 'task', payload })));
  const added = seconds();
  const events = new EventEmitter();
  let ready = 0;
  events.once('localQueue:init', () => (ready = seconds()));  // Starting up is not counted.
  let ran = 0;
  const runner = await start(() => void ++ran, events);
  await until(async () => ran === JOBS && (await isSettled()));
  const ended = seconds();
  await runner.stop();
  return lives(added - begun, ended - ready);
}

async function withWorker(measure) {
  const utils = await fresh();
  const done = new Done();
  const runner = await start((_, { job }) => done.tell(job.id));
  const result = await measure(async () => {
    const job = await utils.addJob('task', requests(1)[0]);
    return done.wait(job.id);
  });
  await runner.stop();
  return result;
}

const result = { lives: [], clients: [], latency: [] };
if (part === 'lives') result.lives.push(await measureLives());
if (part === 'clients')
  for (const count of CLIENTS)
    result.clients.push(
      await withWorker((runOne) => clients(count, runOne, () => until(isSettled))));
if (part === 'latency') result.latency.push(await withWorker(latency));
await pgPool.end();
console.log(JSON.stringify(result));
