// A lifecycle that the page knows only from GET /lifecycles: its form, its rows, its filters, and
// the page of its jobs from the first state to an end. tests/own_lifecycle_test.cc compares
// mock/errand.json with what the API prints.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as world from '../mock/world.mjs';
import { needs_mock, use_bench, visit_logged_in } from './browser.mjs';

const bench = use_bench({ only_on_mock: true });
const errand = world.read_json('errand.json');

async function with_errands(run) {
  world.lifecycles.push(errand);
  world.tables.set(errand.name, errand);
  try {
    await run();
  } finally {
    for (const job of [...world.jobs.values()])
      if (job.lifecycle === errand.name) world.jobs.delete(job.id);
    world.tables.delete(errand.name);
    world.lifecycles.splice(world.lifecycles.indexOf(errand), 1);
  }
}

const errands = () => [...world.jobs.values()].filter((job) => job.lifecycle === errand.name);
const region = (page, name) => page.getByRole('region', { name, exact: true });
const now_in = (page, state) =>
  page.locator(`.picture [data-now=true][data-state=${state}]`).waitFor();
const facet = (page, name) => page.locator('.facet-row').filter({ hasText: name });
const count_of = (page, name) => facet(page, name).locator('.count').textContent();

test('a seventh lifecycle has a form of its fields, which adds a job', needs_mock, () =>
  with_errands(async () => {
    const { page, done } = await visit_logged_in(bench);
    await page.goto('/add');
    await page.getByRole('button', { name: 'errand', exact: true }).click();
    const form = page.locator('form.form');
    await form.getByText('What is carried').waitFor();
    assert.deepEqual(
      await form
        .locator('[id^=field-]:is(input, select, textarea)')
        .evaluateAll((all) => all.map((one) => `${one.id} ${one.type}`)),
      [
        'field-parcel text',
        'field-weight text',
        'field-speed select-one',
        'field-fragile checkbox',
        'field-stops textarea',
        'field-notes textarea',
        'field-map text',
      ],
    );

    await form.locator('button[type=submit]').click();
    await form.locator('#field-parcel[aria-invalid=true]').waitFor();
    await form.locator('#field-parcel').fill('a brass lamp');
    await form.locator('#field-weight').fill('3');
    await form.locator('#field-speed').selectOption('fast');
    await form.locator('#field-stops').fill('the bakery\nthe harbour');
    await form.locator('button[type=submit]').click();
    await page.waitForURL(/\/jobs\/\d+$/);

    await page.locator('h1 .name[title="a brass lamp"]').waitFor();
    assert.deepEqual(
      errands().map((job) => job.request),
      [{ parcel: 'a brass lamp', weight: 3, speed: 'fast', stops: ['the bakery', 'the harbour'] }],
    );
    await done();
  }),
);

test('a job of a seventh lifecycle shows diagram, why, actions and result', needs_mock, () =>
  with_errands(async () => {
    const job = world.add(errand.name, { parcel: 'a brass lamp', weight: 3 });
    const { page, done } = await visit_logged_in(bench);
    await page.goto(`/jobs/${job.id}`);
    await page.locator('.link-live').waitFor();

    await now_in(page, 'waiting');
    assert.deepEqual(
      await page
        .locator('.picture [data-state]')
        .evaluateAll((all) => all.map((one) => one.dataset.state).sort()),
      errand.states.map((one) => one.name).sort(),
    );
    await region(page, 'Why').getByText('waits for a worker').waitFor();
    await region(page, 'Request').getByText('a brass lamp').waitFor();
    assert.equal(await region(page, 'Items').count(), 0);
    assert.equal(await region(page, 'Result').count(), 0);

    world.move(job, 'claim', 'carrying');
    await now_in(page, 'carrying');
    await region(page, 'Why').getByText('a worker works on it (transfer)').waitFor();
    await region(page, 'Timeline').getByText('carrying', { exact: true }).waitFor();
    await page.locator('.actions .danger').click();
    await page.getByRole('dialog').getByText('The job ends as called_off.').waitFor();
    await page.getByRole('button', { name: 'Go back' }).click();

    world.move(job, 'landed', 'there', { result: { left_at: 'the harbour' } });
    await now_in(page, 'there');
    await page.locator('article.job.end-good[data-state=there]').waitFor();
    await region(page, 'Why').getByText('it is done').waitFor();
    await region(page, 'Result').getByText('left_at').waitFor();
    await region(page, 'Result').getByText('the harbour').waitFor();
    assert.deepEqual(await page.locator('.actions button').allInnerTexts(), ['Delete…']);
    await done();
  }),
);

test('the list filters and counts the jobs of a seventh lifecycle', needs_mock, () =>
  with_errands(async () => {
    const { page, done } = await visit_logged_in(bench);
    await page.goto('/jobs');
    await facet(page, 'errand').waitFor();
    assert.equal(await count_of(page, 'errand'), '0');

    for (const parcel of ['a lamp', 'a vase', 'a clock'])
      world.move(world.add(errand.name, { parcel }), 'claim', 'carrying');
    const [lamp, vase] = errands();
    world.move(lamp, 'landed', 'there');
    world.move(vase, 'fail', 'dropped', { reason: 'broken', detail: 'It fell off the cart.' });
    await page.goto('/jobs?lifecycle=errand');
    await page.locator('.row').nth(2).waitFor();

    assert.equal(await count_of(page, 'errand'), '3');
    for (const state of ['carrying', 'there', 'dropped'])
      assert.equal(await count_of(page, state), '1', state);
    assert.equal(await facet(page, 'waiting').count(), 0);
    await page.locator(`.row.end-good[data-job="${lamp.id}"]`).getByText('there').waitFor();
    await page.locator(`.row.end-bad[data-job="${vase.id}"]`).getByText('broken').waitFor();

    await facet(page, 'dropped').click();
    await page.waitForURL(/state=dropped/);
    await page.waitForFunction(() => document.querySelectorAll('.row').length === 1);
    await page.locator('.row .row-link').click();
    await now_in(page, 'dropped');
    await region(page, 'Why').getByText('It fell off the cart.').waitFor();
    await done();
  }),
);
