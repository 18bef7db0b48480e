// A lifecycle that the page knows only from GET /lifecycles, without a mock: the program that
// HAUL_SEVENTH names (tests/seventh/main.cc) runs it with a store, a worker, the API and the page.
// The tests answer for its handler.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { use_bench, visit_logged_in } from './browser.mjs';

const program = process.env.HAUL_SEVENTH;
const needs_program = program ? {} : { skip: 'needs the program that HAUL_SEVENTH names' };
const STATES = ['called_off', 'carrying', 'dropped', 'there', 'waiting'];

// `asked` waits until the handler was asked for this; `answer` is what it answers.
const handler = {};

async function serve() {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  child.stdin.on('error', () => undefined); // It has ended, and `ended` says how.
  const heard = [];
  const listeners = new Set();
  createInterface({ input: child.stdout }).on('line', (line) => {
    heard.push(line);
    for (const each of [...listeners]) each();
  });
  const line = (is_wanted) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = heard.find(is_wanted);
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
      ended.then((how) => reject(new Error(`${program} ended: ${how}`)));
    });
  handler.asked = (call) => line((each) => each === call);
  handler.answer = (text) => child.stdin.write(`${text}\n`);
  const [base, key] = (await line((each) => each.startsWith('http'))).split(' ');
  const stop = async () => {
    child.stdin.end();
    assert.equal(await ended, 0, `how ${program} ended`);
  };
  return { base, key, stop };
}

const bench = use_bench({ serve, skip: !program });
const region = (page, name) => page.getByRole('region', { name, exact: true });
const now_in = (page, state) =>
  page.locator(`.picture [data-now=true][data-state=${state}]`).waitFor();

// Adds a job through the form; returns its id once the handler has begun.
async function add_errand(page, parcel) {
  await page.goto('/add');
  await page.getByRole('button', { name: 'errand', exact: true }).click();
  const form = page.locator('form.form');
  await form.locator('button[type=submit]').click();
  await form.locator('#field-parcel[aria-invalid=true]').waitFor();
  await form.locator('#field-parcel').fill(parcel);
  await form.locator('#field-weight').fill('3');
  await form.locator('#field-speed').selectOption('fast');
  await form.locator('#field-stops').fill('the bakery\nthe harbour');
  await form.locator('button[type=submit]').click();
  await page.waitForURL(/\/jobs\/\d+$/);
  const id = Number(page.url().split('/').pop());
  await handler.asked(`begin ${id}`);
  return id;
}

const job_of = (page, id) =>
  page.evaluate((of) => fetch(`/api/v1/jobs/${of}`).then((answer) => answer.json()), id);

// Asks the API itself; returns the status and the answer.
const act = (page, id, action) =>
  page.evaluate(
    (path) =>
      fetch(path, { method: 'POST', headers: { 'X-Haul': '1' } }).then(async (answer) => [
        answer.status,
        await answer.json(),
      ]),
    `/api/v1/jobs/${id}/${action}`,
  );

async function cancel(page) {
  await page.locator('.actions .danger').click();
  await page.getByRole('dialog').getByText('The job ends as called_off.').waitFor();
  await page.getByRole('button', { name: 'Cancel the job' }).click();
}

test(
  'a job of a seventh lifecycle is added by its form and shown live',
  needs_program,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    const id = await add_errand(page, 'a brass lamp');
    await page.locator('h1 .name[title="a brass lamp"]').waitFor();
    await page.locator('.link-live').waitFor();
    await now_in(page, 'carrying');
    await page.evaluate(() => {
      window.same = true;
    });

    handler.answer(`finished ${id}`);
    await now_in(page, 'there');
    await page.locator('article.job.end-good[data-state=there]').waitFor();
    assert.ok(await page.evaluate(() => window.same), 'no reload');

    const { request, end } = await job_of(page, id);
    assert.equal(end, 'good');
    assert.deepEqual(
      [request.parcel, request.weight, request.speed, request.stops],
      ['a brass lamp', 3, 'fast', ['the bakery', 'the harbour']],
    );
    await region(page, 'Request').getByText('a brass lamp').waitFor();
    for (const state of ['carrying', 'there'])
      await region(page, 'Timeline').getByText(state, { exact: true }).first().waitFor();
    assert.deepEqual(
      await page
        .locator('.picture [data-state]')
        .evaluateAll((all) => all.map((one) => one.dataset.state).sort()),
      STATES,
    );
    const way = await page
      .getByRole('img', { name: /^Lifecycle errand/ })
      .getAttribute('aria-label');
    assert.match(way, /Now there\. States so far: waiting, carrying, there\./);

    await page.goto('/jobs?lifecycle=errand');
    await page.locator(`.row.end-good[data-job="${id}"]`).getByText('there').waitFor();
    await done();
  },
);

test('a cancel on the page stops its handler first', needs_program, async () => {
  const { page, done } = await visit_logged_in(bench);
  const id = await add_errand(page, 'a vase');
  await page.locator('.link-live').waitFor();
  await now_in(page, 'carrying');

  await cancel(page);
  await handler.asked(`stop ${id}`);
  handler.answer(`stopped ${id}`);
  await now_in(page, 'called_off');
  await page.locator('article.job.end-stopped[data-state=called_off]').waitFor();
  await done();
});

test('a failed job shows why, and no retry: the lifecycle has none', needs_program, async () => {
  const { page, done } = await visit_logged_in(bench);
  const id = await add_errand(page, 'a clock');
  await page.locator('.link-live').waitFor();

  handler.answer(`failed ${id}`);
  await now_in(page, 'dropped');
  await page.locator('article.job.end-bad[data-state=dropped]').waitFor();
  await region(page, 'Why').getByText('It fell off the cart.').waitFor();
  assert.deepEqual(await page.locator('.actions button').allInnerTexts(), ['Delete…']);
  const [status, answer] = await act(page, id, 'retry');
  assert.equal(status, 409);
  assert.deepEqual([answer.state, answer.allowed], ['dropped', ['delete']]);
  await done();
});

// The page without its stream does not know that the job has ended, and still offers to cancel it.
test('the page shows that a job that has arrived refuses a cancel', needs_program, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.route('**/api/v1/events*', (route) => route.abort());
  const id = await add_errand(page, 'a mirror');
  await page.reload();
  await now_in(page, 'carrying');
  handler.answer(`finished ${id}`);
  await page.waitForFunction(
    (of) =>
      fetch(`/api/v1/jobs/${of}`)
        .then((answer) => answer.json())
        .then((job) => job.state === 'there'),
    id,
  );
  await now_in(page, 'carrying');

  await cancel(page);
  await page.getByText(/^Cancel was refused: /).waitFor();
  await now_in(page, 'there');
  assert.deepEqual(await page.locator('.actions button').allInnerTexts(), ['Delete…']);
  const [status, answer] = await act(page, id, 'cancel');
  assert.equal(status, 409);
  assert.deepEqual([answer.state, answer.allowed], ['there', ['delete']]);
  await done();
});
