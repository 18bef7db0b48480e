// Shared by the browser tests: a server (the mock, unless HAUL_URL names another), a browser, and a
// page that fails the test on any script error or CSP violation.
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { chromium } from 'playwright-core';

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const on_mock = !process.env.HAUL_URL;
export const key = process.env.HAUL_KEY ?? 'mock-key';
// A server to download from: `/f/NAME?size=N&limit_rate=R`. The mock reads only the numbers.
export const files_url = process.env.HAUL_FILES_URL ?? 'http://files.example';
export const needs_mock = on_mock ? {} : { skip: 'needs the jobs of the mock' };

// The setup of one test file. After each test it closes the visitors that a failed test left open,
// so that their running jobs do not fail the next test too. `serve` starts a server of the file's
// own, and returns its `base`, its `key` and how to `stop` it.
export function use_bench({ only_on_mock = false, skip = false, serve = usual_server } = {}) {
  const bench = {};
  before(async () => {
    if (!skip && (on_mock || !only_on_mock)) Object.assign(bench, await open(serve));
  });
  afterEach(() => Promise.all([...(bench.visitors ?? [])].map((leave) => leave())));
  after(() => bench.close?.());
  return bench;
}

async function usual_server() {
  if (!on_mock) return { base: process.env.HAUL_URL, key, stop() {} };
  const { start } = await import('../mock/server.mjs');
  const server = await start(0);
  return {
    base: `http://127.0.0.1:${server.address().port}`,
    key,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function open(serve = usual_server) {
  const browser = await chromium.launch({
    executablePath: process.env.HAUL_CHROMIUM ?? '/usr/bin/chromium',
    args: ARGS,
  });
  const server = await serve().catch(async (error) => {
    await browser.close();
    throw error;
  });
  return {
    base: server.base,
    key: server.key,
    browser,
    visitors: new Set(),
    async close() {
      await browser.close();
      await server.stop();
    },
  };
}

// Opens a fresh browser context. `problems` must stay empty.
export async function visit(bench, options = {}) {
  const context = await bench.browser.newContext({
    baseURL: bench.base,
    viewport: { width: 1280, height: 860 },
    ...options,
  });
  context.setDefaultTimeout(20_000);
  await context.addInitScript(() => {
    window.breaches = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      window.breaches.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A refused request (a wrong login, a job without a result) is a valid answer, not a bug of the
    // page.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      problems.push(`console: ${message.text()}`);
  });
  const quiet = until_quiet(page);
  const check = async () => {
    problems.push(...(await page.evaluate(() => window.breaches)));
    assert.deepEqual(problems, []);
  };
  const leave = async () => {
    if (!bench.visitors.delete(leave)) return;
    await page.evaluate(cancel_all, files_url).catch(() => undefined);
    await context.close();
  };
  bench.visitors.add(leave);
  const done = async () => {
    await check();
    await leave();
  };
  return { context, page, quiet, check, leave, done };
}

// Waits until every request of the page is answered and drawn, except the stream, which never ends.
function until_quiet(page) {
  const asked = new Set();
  const answered = new EventTarget();
  let leaves = false;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) leaves = true;
    if (/\/api\/v1\/(?!events)/.test(request.url())) asked.add(request);
  });
  // Chromium does not always report the end of a request whose document was left.
  page.on('framenavigated', () => {
    if (leaves) asked.clear();
    leaves = false;
    answered.dispatchEvent(new Event('one'));
  });
  for (const how of ['requestfinished', 'requestfailed'])
    page.on(how, (request) => asked.delete(request) && answered.dispatchEvent(new Event('one')));
  const next = () =>
    new Promise((resolve) => answered.addEventListener('one', resolve, { once: true }));
  const drawn = () =>
    page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  return async () => {
    await drawn();
    for (let turn = 0; asked.size && turn < 100; ++turn) {
      while (asked.size) await next();
      await drawn();
    }
  };
}

// Runs in the page. A daemon runs few transfers per host at once, so jobs that a test leaves
// running would block the next one.
async function cancel_all(files) {
  const answer = await fetch('/api/v1/jobs?end=open&limit=100');
  if (!answer.ok) return;
  const { items } = await answer.json();
  const own = items.filter(
    (job) => String(job.request.url ?? '').startsWith(files) && job.allowed.includes('cancel'),
  );
  await Promise.all(
    own.map((job) =>
      fetch(`/api/v1/jobs/${job.id}/cancel`, { method: 'POST', headers: { 'X-Haul': '1' } }),
    ),
  );
}

export async function log_in(page, with_key = key) {
  await page.goto('/');
  await page.getByLabel('Key', { exact: true }).fill(with_key);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
}

export async function visit_logged_in(bench, options) {
  const visitor = await visit(bench, options);
  await log_in(visitor.page, bench.key);
  return visitor;
}

export const link = (name, size, rate = 0) =>
  `${files_url}/f/${name}?size=${size}${rate ? `&limit_rate=${rate}` : ''}`;

// Adds one link through the page and opens its job.
export async function add_link(page, url) {
  await page.goto('/add');
  await page.getByLabel('Links').fill(url);
  await page.getByRole('button', { name: 'Add link' }).click();
  const added = page.getByRole('region', { name: 'What was added' }).getByRole('link').first();
  await added.click();
  await page.waitForURL(/\/jobs\/\d+$/);
}

// Adds a book over the API, from within the page; returns the status.
export const post_book = (page, id, title) =>
  page.evaluate(
    (body) =>
      fetch('/api/v1/books', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Haul': '1' },
        body: JSON.stringify(body),
      }).then((answer) => answer.status),
    { id, title },
  );

// Adds a book; returns the path of its page.
export async function make_book(page, id, title) {
  const status = await post_book(page, id, title);
  assert.ok(status === 201 || status === 200, `${status} for the book ${id}`);
  return `/library/${encodeURIComponent(id)}`;
}
