// The actions of a user, from login to cancel. Runs against the mock, or against the daemon that
// HAUL_URL, HAUL_KEY and HAUL_FILES_URL name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostile } from '../mock/hostile.mjs';
import { add_link, files_url, key, link, use_bench, visit, visit_logged_in } from './browser.mjs';

const bench = use_bench();

const state = (page) => page.locator('article.job').getAttribute('data-state');
const state_is = (page, name) =>
  page.locator(`article.job[data-state=${name}]`).waitFor({ timeout: 30_000 });
const bar = (page) => page.getByRole('progressbar', { name: 'Progress of the job' });

async function cancel(page) {
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel the job' }).click();
  await state_is(page, 'CANCELLED');
}

test('the page shows nothing before the login, and refuses a wrong key', async () => {
  const { page, done } = await visit(bench);

  await page.goto('/jobs');
  await page.getByLabel('Key', { exact: true }).fill(`${key}-wrong`);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('alert').getByText('Unknown or revoked key').waitFor();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('table').or(page.getByText('No jobs yet')).first().waitFor();

  assert.equal(await page.evaluate(() => document.cookie), '', 'the session is not for scripts');
  await done();
});

test('an added link is shown live until it has arrived', async () => {
  const { page, done } = await visit_logged_in(bench);

  const name = `watched${Date.now()}.bin`; // A name that exists already would be changed.
  await add_link(page, link(name, 300_000, 150_000));
  await page.evaluate(() => {
    window.same = true;
  });
  await state_is(page, 'COMPLETED');

  assert.ok(await page.evaluate(() => window.same));
  assert.equal(
    await page.locator('.picture [data-now=true]').getAttribute('data-state'),
    'COMPLETED',
  );
  const way = await page.getByRole('img', { name: /^Lifecycle batch/ }).getAttribute('aria-label');
  assert.match(way, /Now COMPLETED\. States so far: PENDING, RUNNING, COMPLETED\./);
  await page
    .getByRole('region', { name: 'Timeline' })
    .getByText('COMPLETED', { exact: true })
    .waitFor();
  await page.getByRole('region', { name: 'Items' }).getByText(name, { exact: true }).waitFor();
  await done();
});

test('a running job can be cancelled, and then offers only its allowed actions', async () => {
  const { page, done } = await visit_logged_in(bench);

  await add_link(page, link('cancelled.bin', 80_000_000, 500_000));
  await state_is(page, 'RUNNING');
  assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 0, 'it runs');
  await cancel(page);

  await page.getByRole('button', { name: 'Cancel…' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('button', { name: /^(Pause|Resume)$/ }).count(), 0);
  const answer = await page.evaluate(() =>
    fetch(`/api/v1${location.pathname}/cancel`, {
      method: 'POST',
      headers: { 'X-Haul': '1' },
    }).then(async (got) => [got.status, await got.json()]),
  );
  assert.equal(answer[0], 409);
  assert.ok(!answer[1].allowed.includes('cancel'));
  await done();
});

test('a late refusal shows a message, and the page keeps the real state', async () => {
  const { page, done } = await visit_logged_in(bench);
  await add_link(page, link('late.bin', 80_000_000, 500_000));
  await state_is(page, 'RUNNING');
  await page.route('**/cancel', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/json',
      body: JSON.stringify({
        code: 'stale',
        detail: 'It moved \u202Emeanwhile.',
        state: 'COMPLETED',
        allowed: [],
      }),
    }),
  );

  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel the job' }).click();

  await page.getByText('Cancel was refused: It moved ⟨U+202E⟩meanwhile.').waitFor();
  assert.equal(await state(page), 'RUNNING');
  await page.unroute('**/cancel');
  await done();
});

test('pause and resume', async () => {
  const { page, done } = await visit_logged_in(bench);
  await add_link(page, link('paused.bin', 80_000_000, 500_000));
  await state_is(page, 'RUNNING');

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.locator('.job-tags').getByText('paused').waitFor();
  await state_is(page, 'PENDING');
  await page.getByRole('button', { name: 'Resume' }).click();
  await state_is(page, 'RUNNING');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await done();
});

test('after a reload the progress is back and continues', async () => {
  const { page, done } = await visit_logged_in(bench);
  await add_link(page, link('reloaded.bin', 60_000_000, 3_000_000));
  await bar(page).waitFor();
  const value = async () => Number(await bar(page).getAttribute('aria-valuenow'));
  await page.waitForFunction(
    () =>
      Number(
        document.querySelector('.job-progress [role=progressbar]')?.getAttribute('aria-valuenow'),
      ) >= 5,
  );
  const was = await value();

  await page.reload();
  await bar(page).waitFor();

  assert.ok((await value()) >= was);
  assert.equal(await state(page), 'RUNNING');
  await page.waitForFunction(
    (old) =>
      Number(
        document.querySelector('.job-progress [role=progressbar]')?.getAttribute('aria-valuenow'),
      ) > old,
    was + 2,
  );
  await page.goto('/jobs');
  await page
    .getByRole('progressbar', { name: /reloaded\.bin/ })
    .first()
    .waitFor();
  await done();
});

test('each of many links becomes a job, and each bad line has an error', async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/add');

  await page
    .getByLabel('Links')
    .fill(
      `${link('m1.bin', 1000)}\n${link('m2.bin', 1000)}\nftp://old.example/x\n${link('m1.bin', 1000)}`,
    );
  await page.getByText('ftp: is not supported').waitFor();
  await page.getByText('already above').waitFor();
  await page.getByRole('button', { name: 'Add 2 links' }).click();

  const added = page.getByRole('region', { name: 'What was added' });
  await added.waitFor();
  assert.equal(await added.getByRole('link').count(), 2);
  assert.equal(await page.getByLabel('Links').inputValue(), 'ftp://old.example/x');
  await done();
});

test('the form of a lifecycle has its request fields and marks missing ones', async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/add?as=media');

  await page.getByRole('button', { name: 'Add media job' }).click();
  assert.equal(await page.getByLabel('title').getAttribute('aria-invalid'), 'true');
  await page.waitForFunction(() => document.activeElement.id === 'field-title');
  await page.getByLabel('title').fill('Stalker');
  await page.getByLabel('release_name').fill('Stalker.1979.x264');
  await page.route('**/api/v1/jobs', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/json',
      body: JSON.stringify({
        code: 'bad_request',
        detail: 'Not so.',
        fields: { release_name: 'is taken', owner: 'is asleep' },
      }),
    }),
  );
  await page.getByRole('button', { name: 'Add media job' }).click();
  await page.getByText('is taken').waitFor();
  await page.getByText('owner: is asleep').waitFor();
  await done();
});

test('Z-30: a lifecycle that is not configured says what to do where it is picked', async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.route('**/api/v1/lifecycles', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const table of json.items)
      table.not_ready = table.name === 'book' ? 'configure engine.qbittorrent.url' : '';
    await route.fulfill({ response, json });
  });
  await page.goto('/add?as=book');
  await page.getByText('configure engine.qbittorrent.url').waitFor();

  await page.goto('/add?as=batch');
  await page.getByRole('button', { name: 'Add batch job' }).waitFor();
  assert.equal(await page.getByText('cannot run').count(), 0);
  await done();
});

test('the preview of a bulk action counts the jobs that change and those that do not', async () => {
  const { page, done } = await visit_logged_in(bench);
  const mark = `bulk${Date.now()}`;
  await add_link(page, link(`${mark}-done.bin`, 1000));
  await state_is(page, 'COMPLETED');
  await page.goto('/add');
  await page
    .getByLabel('Links')
    .fill([1, 2].map((n) => link(`${mark}-${n}.bin`, 90_000_000, 400_000)).join('\n'));
  await page.getByRole('button', { name: 'Add 2 links' }).click();
  await page.getByRole('region', { name: 'What was added' }).waitFor();

  await page.goto(`/jobs?q=${mark}`);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel 2 jobs?' });
  await dialog.getByText('has ended (COMPLETED)').waitFor();
  await dialog.getByRole('button', { name: 'Cancel 2 jobs' }).click();

  await page.waitForFunction(() => document.querySelectorAll('.row.end-stopped').length === 2);
  assert.equal(await page.locator('.row.end-good').count(), 1);
  await done();
});

test('the server applies filters and search, and the URL contains them', async () => {
  const { page, done } = await visit_logged_in(bench);
  const mark = `found${Date.now()}`;
  await add_link(page, link(`${mark}.bin`, 1000));
  await state_is(page, 'COMPLETED');

  await page.goto('/jobs');
  await page.getByRole('button', { name: /^whole/ }).click();
  await page.waitForURL(/outcome=whole/);
  await page.getByLabel('Search the jobs').fill(mark);
  await page.waitForURL(new RegExp(`q=${mark}`));
  await page.waitForFunction(() => document.querySelectorAll('.row').length === 1);
  await page.getByRole('button', { name: /^nothing/ }).click();
  await page.getByText('No jobs found').waitFor();
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll('.row').length === 1);
  await done();
});

test('an ended session leads to the login and then back to the same page', async () => {
  const { page, context, done } = await visit_logged_in(bench);
  await page.goto('/jobs');
  await page.locator('.row').first().waitFor();
  await context.clearCookies();

  // The next request finds out, from this click or from the list itself.
  await page.evaluate(() => document.querySelector('.row .row-link')?.click());
  await page.getByLabel('Key', { exact: true }).fill(key);
  const path = new URL(page.url()).pathname;
  await page.keyboard.press('Enter');
  await page.locator('article.job, .row').first().waitFor();

  assert.equal(new URL(page.url()).pathname, path);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  assert.equal(await page.evaluate(() => fetch('/api/v1/me').then((answer) => answer.status)), 401);
  await done();
});

test('the page says that the server cannot be reached, and recovers', async () => {
  const { page, leave } = await visit_logged_in(bench);
  await page.goto('/jobs');
  await page.locator('.row').first().waitFor();
  await page.route('**/api/v1/jobs?**', (route) => route.abort());

  await page.getByRole('button', { name: /^whole/ }).click();
  await page.getByRole('alert').getByText('cannot be reached').waitFor();
  await page.unroute('**/api/v1/jobs?**');
  await page.getByRole('button', { name: 'Try again' }).click();

  await page.locator('.row').first().waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await leave();
});

// Adds a batch through the API, from within the page.
const post_batch = (page, request) =>
  page.evaluate(
    (body) =>
      fetch('/api/v1/jobs', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Haul': '1' },
        body: JSON.stringify({ lifecycle: 'batch', request: body }),
      }).then(async (got) => [got.status, await got.json()]),
    request,
  );

test('hostile names are shown as text', async () => {
  const { page, done } = await visit_logged_in(bench);
  const name = '<img src=x onerror=window.hacked=1>\u202Egpj.exe';

  await add_link(page, `${files_url}/f/${encodeURIComponent(name)}?size=2000`);

  await page.getByRole('heading', { level: 1 }).getByText('<img src=x onerror').waitFor();
  await page.getByRole('heading', { level: 1 }).getByText('⟨U+202E⟩').waitFor();
  await page.goto('/jobs');
  await page.locator('.row').first().getByText('<img src=x').waitFor();
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await done();
});

test('hostile file names and titles stay text before and after they arrive', async () => {
  const { page, quiet, done } = await visit_logged_in(bench);
  const jobs = [];
  for (const name of hostile)
    for (const request of [
      { url: `${files_url}/f/${encodeURIComponent(name)}?size=1000` },
      { url: `${files_url}/f/titled?size=1000`, name },
    ]) {
      const [status, job] = await post_batch(page, request);
      assert.ok(status === 201 || status === 422, `${status} for ${JSON.stringify(request)}`);
      if (status === 201) jobs.push(job.id);
    }
  assert.ok(jobs.length >= hostile.length, `only ${jobs.length} were added`);

  await page.goto('/jobs');
  await page
    .locator('.row')
    .nth(jobs.length - 1)
    .waitFor();
  for (const job of jobs) {
    await page.goto(`/jobs/${job}`);
    await page.locator('article.job:not([data-state=PENDING]):not([data-state=RUNNING])').waitFor();
    await quiet();
    const [text, wide] = await page.evaluate(() => [
      document.body.textContent,
      document.documentElement.scrollWidth > innerWidth,
    ]);
    assert.ok(!/[\u202A-\u202E\u2066-\u2069\u0000-\u0008\u001B]/.test(text), `${job}`);
    assert.equal(wide, false, `${job}`);
  }

  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('#app img, #app script').count(), 0);
  await done();
});
