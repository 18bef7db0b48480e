// The panel Why of jobs that a real daemon holds back, beside the daemon's own answer.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { files_url, on_mock, use_bench, visit_logged_in } from './browser.mjs';

const bench = use_bench({ skip: on_mock });
const needs_daemon = on_mock ? { skip: 'needs a daemon' } : {};
const program = process.env.HAUL_FILES_PROGRAM;
const needs_program = program
  ? needs_daemon
  : { skip: 'needs the server and the folder of scripts/browser.mjs' };
const PER_HOST = 2; // The default of transfer.per_host.

const in_an_hour = () => new Date(Date.now() + 3_600_000).toISOString();
const named = (() => {
  let count = 0;
  return (query) => `why${Date.now()}_${++count}.bin?${query}`;
})();
const url = (query) => `${files_url}/f/${named(query)}`;

// Servers on addresses of their own, because limits and refusals count for a host.
const servers = [];
after(() => servers.forEach((server) => server.stdin.end()));
async function fresh_host() {
  const address = `127.0.0.${61 + servers.length}`;
  const server = spawn(program, ['--bind', address], { stdio: ['pipe', 'pipe', 'inherit'] });
  servers.push(server);
  const line = await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`the server on ${address} ended: ${code}`)));
    createInterface({ input: server.stdout }).once('line', resolve);
  });
  return `http://${address}:${line.split(' ').pop()}/f/`;
}

const ask = (page, path, body) =>
  page.evaluate(
    ([path, body]) =>
      fetch(`/api/v1${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { 'Content-Type': 'application/json', 'X-Haul': '1' },
        body: body && JSON.stringify(body),
      }).then((answer) => answer.json()),
    [path, body],
  );

const add = (page, job) => ask(page, '/jobs', { lifecycle: 'batch', ...job });
const cancel_all = (page) =>
  ask(page, '/jobs/actions', { action: 'cancel', filter: { end: 'open' } });

// Until the daemon has met the trouble.
const meet = (page, job, code) =>
  page.waitForFunction(
    async ([job, code]) => {
      const answer = await fetch(`/api/v1/jobs/${job}/why`);
      return (await answer.json()).code === code;
    },
    [job, code],
    { polling: 100 },
  );

// Until the page says the same as the daemon, and names the same jobs that hold this one back.
const agree = (page, job, code) =>
  page.waitForFunction(
    async ([job, code]) => {
      const answer = await fetch(`/api/v1/jobs/${job}/why`);
      const said = await answer.json();
      const shown = (part) => document.querySelector(`.why .why-because ${part}`)?.textContent;
      const sentence = said.because[0].toUpperCase() + said.because.slice(1);
      const holders = [...document.querySelectorAll('.why dd.num a')].map((link) =>
        Number(link.pathname.split('/').pop()),
      );
      return (
        said.code === code &&
        shown('code') === code &&
        shown('.prose') === sentence &&
        holders.join() === said.holders.join()
      );
    },
    [job, code],
    { polling: 100 },
  );

// A host all of whose places are used.
async function full_host(page) {
  const host = await fresh_host();
  for (let i = 0; i < PER_HOST; ++i) {
    const slow = host + named('size=60000000&limit_rate=2000');
    const { id } = await add(page, { request: { url: slow } });
    await meet(page, id, 'transferring');
  }
  return host;
}

// Removes the folder of a running download, which cannot go on without it.
async function remove_folder(page, job) {
  await page.waitForFunction(
    async (job) => (await (await fetch(`/api/v1/jobs/${job}`)).json()).progress?.have > 0,
    job,
    { polling: 100 },
  );
  rmSync(join(process.env.HAUL_DOWNLOADS, 'why_gone'), { recursive: true });
}

// The code of what then holds the job back or ended it, what to add, and what to do after that.
const troubles = [
  ['paused', () => ({ paused: true, request: { url: url('size=10') } })],
  ['scheduled', () => ({ not_before: in_an_hour(), request: { url: url('size=10') } })],
  ['backoff', () => ({ request: { url: url('status=503') } })],
  ['nothing_arrived', () => ({ request: { url: url('status=404') } })],
  ['arrived_in_part', () => ({ request: { urls: [url('size=10'), url('status=404')] } })],
  ['failed', () => ({ request: { url: url('status=404'), discover: true } })],
  [
    'stopped',
    () => ({ paused: true, request: { url: url('size=10') } }),
    (page, job) => ask(page, `/jobs/${job}/cancel`, {}),
  ],
  // The kernel answers a connection to a broadcast address as it does without a network.
  ['network_down', () => ({ request: { url: 'http://127.255.255.255/a.bin' } })],
];
// With servers of the test's own, and the daemon's folder.
const own_troubles = [
  ['host_busy', async (page) => ({ request: { url: (await full_host(page)) + named('size=10') } })],
  [
    'waiting_for_host',
    async (page) => ({
      request: { urls: [url('size=10'), (await full_host(page)) + named('size=10')] },
    }),
  ],
  [
    'host_blocked',
    async () => ({ request: { url: (await fresh_host()) + named('status=429&retry_after=60') } }),
  ],
  [
    'folder_gone',
    () => ({ request: { url: url('size=400000&limit_rate=50000'), folder: 'why_gone' } }),
    remove_folder,
  ],
];
const HELD = ['host_busy', 'waiting_for_host'];

const compare = (needs, [code, job, then]) =>
  test(`the page says of a real job what holds it back: ${code}`, needs, async () => {
    const { page, done } = await visit_logged_in(bench);
    try {
      const added = await add(page, await job(page));
      await then?.(page, added.id);
      await meet(page, added.id, code);
      await page.goto(`/jobs/${added.id}`);
      await agree(page, added.id, code);
      const { holders } = await ask(page, `/jobs/${added.id}/why`);
      assert.equal(holders.length, HELD.includes(code) ? PER_HOST : 0);
    } finally {
      await cancel_all(page);
    }
    await done();
  });
for (const each of troubles) compare(needs_daemon, each);
for (const each of own_troubles) compare(needs_program, each);
