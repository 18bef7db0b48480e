// Tests that need the mock's jobs: every lifecycle and state, hostile names, a stream that breaks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs_mock, use_bench, visit, visit_logged_in } from './browser.mjs';
import { hostile } from '../mock/hostile.mjs';

const bench = use_bench({ only_on_mock: true });

const find = (page, query) =>
  page.evaluate(
    (q) =>
      fetch(`/api/v1/jobs?limit=100&${q}`)
        .then((answer) => answer.json())
        .then((list) => list.items),
    query,
  );

test('every hostile name is text in the list and on its own page', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const jobs = await find(page, 'q=hostile.example');
  assert.equal(jobs.length, hostile.length);

  await page.goto('/jobs?q=hostile.example');
  await page
    .locator('.row')
    .nth(hostile.length - 1)
    .waitFor();
  const shape = await page.evaluate(() =>
    [...document.querySelectorAll('.row')]
      .map((row) => row.getBoundingClientRect())
      .every((box) => box.height < 80 && box.right <= innerWidth),
  );
  assert.ok(shape, 'no name breaks its row');
  for (const job of jobs) {
    await page.goto(`/jobs/${job.id}`);
    await page.locator('article.job .facts').first().waitFor();
    assert.equal(
      await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
      false,
      `${job.id}`,
    );
  }

  const text = await page.evaluate(() => document.body.textContent);
  assert.ok(
    !/[\u202A-\u202E\u2066-\u2069\u0000-\u0008\u001B]/.test(text),
    'the page has no hidden characters',
  );
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('#app img, #app script').count(), 0);
  await done();
});

test('a script is never a link', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const [job] = await find(page, 'q=javascript:alert');

  await page.goto(`/jobs/${job.id}`);
  await page
    .getByRole('region', { name: 'Request' })
    .getByText('javascript:alert(document.domain)')
    .waitFor();

  const links = await page.evaluate(() =>
    [...document.querySelectorAll('a')].map((one) => one.protocol),
  );
  assert.ok(
    links.every((one) => ['http:', 'https:', 'magnet:'].includes(one)),
    links.join(),
  );
  await done();
});

test(
  'every job shows its lifecycle with one state highlighted, and only its allowed actions',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    const jobs = await find(page, '');
    const seen = new Map(jobs.map((job) => [`${job.lifecycle} ${job.state}`, job]));
    assert.ok(seen.size >= 25);

    for (const [what, job] of seen) {
      await page.goto(`/jobs/${job.id}`);
      await page.locator('.picture [data-now=true]').waitFor();
      await page.getByRole('region', { name: 'Why' }).getByText('Since').waitFor();
      const shown = await page.evaluate(() => [
        [...document.querySelectorAll('.picture [data-now=true]')]
          .map((node) => node.dataset.state)
          .join(),
        [...document.querySelectorAll('.actions > button')]
          .map((button) => button.textContent.replace('…', '').toLowerCase())
          .sort()
          .join(),
      ]);
      assert.deepEqual(shown, [job.state, [...job.allowed].sort().join()], what);
    }
    await done();
  },
);

test('a broken stream shows a quiet note, reconnects and misses nothing', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const post = (path) =>
    page.evaluate(
      (one) =>
        fetch(`/api/v1${one}`, { method: 'POST', headers: { 'X-Haul': '1' } }).then(
          (answer) => answer.status,
        ),
      path,
    );
  const [job] = await find(page, 'q=albums/spring');
  await page.goto(`/jobs/${job.id}`);
  await page.locator('.link-live').waitFor();

  await page.route('**/api/v1/events', (route) => route.abort());
  await post('/mock/drop');
  await page.getByText('Reconnecting…').waitFor();
  await page.unroute('**/api/v1/events');
  await page.locator('.link-live').waitFor({ timeout: 20_000 });
  await post('/mock/drop');
  await post(`/jobs/${job.id}/cancel`);
  await page.locator('article.job[data-state=CANCELLED]').waitFor({ timeout: 20_000 });
  await done();
});

test('a search reads on past a page without a hit', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const [job] = await find(page, 'q=albums/summer');
  await page.route('**/api/v1/jobs?*', async (route) => {
    const query = new URL(route.request().url()).searchParams;
    if (query.get('q') !== 'far') return route.continue();
    const is_first = !query.get('cursor');
    const json = is_first
      ? { items: [], next: '7', searched: 20_000 }
      : { items: [job], next: null, searched: 5 };
    return route.fulfill({ json });
  });

  await page.goto('/jobs?q=far');
  await page.locator(`.row a[href="/jobs/${job.id}"]`).first().waitFor();
  assert.equal(await page.getByText('No jobs found').count(), 0);
  await done();
});

test('a resync reloads the shown list', needs_mock, async () => {
  const { page, quiet, done } = await visit_logged_in(bench);
  await page.goto('/jobs?end=stopped');
  await page.locator('.row').first().waitFor();

  await page.locator('.link-live').waitFor();
  await quiet(); // The requests that the opening stream causes have finished.
  const asked = page.waitForRequest(/\/api\/v1\/jobs\?/);
  await page.evaluate(() =>
    fetch('/api/v1/mock/resync', { method: 'POST', headers: { 'X-Haul': '1' } }),
  );

  await asked;
  await done();
});

test(
  'Z-30: what a lifecycle lacks is asked for again when the stream comes back',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    let not_ready = 'configure engine.x.url';
    await page.route('**/api/v1/lifecycles', async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      for (const table of json.items) table.not_ready = not_ready;
      await route.fulfill({ response, json });
    });
    await page.goto('/add?as=book');
    await page.locator('.link-live').waitFor();
    await page.getByText('configure engine.x.url').waitFor();

    not_ready = '';
    await page.evaluate(() =>
      fetch('/api/v1/mock/resync', { method: 'POST', headers: { 'X-Haul': '1' } }),
    );

    await page.getByText('configure engine.x.url').waitFor({ state: 'detached' });
    await done();
  },
);

test(
  'Z-31: after a restore a notice says what haul does not do, and an admin resumes',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    let restored_at = '2026-02-02T02:40:00.000Z';
    let method = '';
    await page.route('**/api/v1/stats', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), restored_at } });
    });
    await page.route('**/api/v1/resume', (route) => {
      method = route.request().method();
      restored_at = null;
      return route.fulfill({ json: { resumed: true, restored_at } });
    });
    await page.goto('/jobs');

    const notice = page.locator('.notice', { hasText: 'Restored from a backup' });
    await notice.getByRole('button', { name: 'Resume' }).click();
    await notice.waitFor({ state: 'detached' });

    assert.equal(method, 'POST');
    await done();
  },
);

test('every page says that the store is full until there is space', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const troubles = [{ part: 'store', code: 'disk_full' }];
  await page.route('**/health/ready', (route) =>
    route.fulfill({ status: 503, json: { status: 'not_ready', troubles } }),
  );
  for (const path of ['/jobs', '/library', '/add']) {
    await page.goto(path);
    await page.getByRole('alert').getByText('is full: free some space').waitFor();
  }

  await page.unroute('**/health/ready');
  const asked = page.waitForResponse('**/health/ready');
  await page.reload();
  await asked;
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  await done();
});

test('a silent worker is named and not counted', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  let beat = 0;
  const worker = (id, beat, age_ms) => ({
    id,
    name: `machine:${id}`,
    beat,
    started_at: '2026-02-02T02:40:00.000Z',
    beat_at: new Date(Date.now() - age_ms).toISOString(),
  });
  await page.route('**/api/v1/workers', (route) =>
    route.fulfill({ json: { items: [worker(1, 5, 20_000), worker(2, ++beat, 500)], next: null } }),
  );
  await page.goto('/jobs');

  const foot = page.locator('.rail-foot', { hasText: '1 worker, 1 silent' });
  await foot.waitFor();
  assert.match(await foot.locator('[title]').getAttribute('title'), /^machine:1: last heartbeat /);

  await page.unroute('**/api/v1/workers');
  await page.reload();
  await page.locator('.rail-foot', { hasText: /^1 worker · mock$/ }).waitFor();
  await done();
});

test('a long list has pages, forwards and back', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/jobs');
  await page.locator('.row').nth(49).waitFor();
  const first = () => page.locator('.row').first().getAttribute('data-job');
  const top = await first();

  await page.getByRole('button', { name: 'Older' }).click();
  await page.waitForURL(/cursor=/);
  await page.waitForFunction((was) => document.querySelector('.row')?.dataset.job !== was, top);
  assert.ok(Number(await first()) < Number(top));
  await page.getByRole('button', { name: 'Newer' }).click();
  await page.waitForFunction((was) => document.querySelector('.row')?.dataset.job === was, top);
  await done();
});

test('the items of a large job have pages, with those in progress on top', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const [job] = await find(page, 'q=media.example/talks');
  await page.goto(`/jobs/${job.id}`);
  const items = page.getByRole('region', { name: 'Items' });

  await items.getByRole('list', { name: 'In progress' }).getByRole('progressbar').first().waitFor();
  await items.getByRole('button', { name: /^failed/ }).click();
  await items.getByText('http_404').waitFor();
  await items.getByRole('button', { name: 'all' }).click();
  await items.getByRole('button', { name: 'Next' }).click();
  await items.getByText('26', { exact: true }).waitFor();
  await done();
});

test('a long timeline loads more events on request, without a gap', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const [job] = await find(page, 'q=chatty.example');
  await page.goto(`/jobs/${job.id}`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('Line 498.').waitFor();

  await timeline.getByRole('button', { name: 'Show later events' }).click();
  await timeline.getByText('Line 620.').waitFor();

  assert.equal(await timeline.getByRole('listitem').count(), 623);
  assert.equal(await timeline.getByRole('button').count(), 0);
  await done();
});

test('Z-25: a good end with failed items looks partly good', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/jobs?q=albums/summer');

  const row = page.locator('.row.end-partly');
  await row.getByText('1 failed').waitFor();
  await row.getByText('COMPLETED, partly').waitFor();
  await row.locator('.row-link').click();
  await page.locator('article.job.end-partly').waitFor();
  await page.locator('.job-tags').getByText('1 failed').waitFor();
  await page.getByRole('button', { name: 'Retry' }).waitFor();
  await done();
});

test(
  'a job that waits for its host says so, without a spinner, and names who holds it',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    await page.goto('/jobs?q=interviews');

    const row = page.locator('.row');
    await row.getByText('waiting for media.example').waitFor();
    assert.equal(await row.locator('.mark-turn').count(), 0);
    await row.locator('.row-link').click();
    await page.locator('.job-tags').getByText('waiting for media.example').waitFor();
    assert.equal(await page.locator('.job-tags .mark-turn').count(), 0);
    const why = page.getByRole('region', { name: 'Why' });
    await why.getByText('Held by').waitFor();
    await why.getByRole('link', { name: /^#\d+$/ }).click();
    await page.getByRole('heading', { name: 'talks' }).waitFor();
    await done();
  },
);

test(
  'a failed item gets another link on the page, and a wrong one is named',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    const [job] = await find(page, 'q=albums/summer');
    await page.goto(`/jobs/${job.id}`);
    const row = page.locator('.item.end-bad');
    await row.getByRole('button', { name: /^Replace the link of / }).click();
    assert.equal(await page.locator('.item.end-good').getByText('Replace link').count(), 0);

    const field = row.getByLabel('New link of the same file');
    await field.fill('ftp://files.example/new.jpg');
    await row.getByRole('button', { name: 'Replace', exact: true }).click();
    await row.getByRole('alert').getByText('expected http or https').waitFor();
    await field.fill('https://files.example/new.jpg?size=1000');
    await row.getByRole('button', { name: 'Replace', exact: true }).click();

    await page.waitForURL(
      (url) => /^\/jobs\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${job.id}`),
    );
    await page.getByText('new.jpg').first().waitFor();
    await done();
  },
);

test('a viewer gets no button that the server would refuse', needs_mock, async () => {
  const { page, done } = await visit(bench);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Name and password' }).click();
  await page.getByLabel('Name').fill('olga');
  await page.getByLabel('Password').fill('harbour');
  await page.keyboard.press('Enter');
  await page.locator('.row').first().waitFor();

  await page.locator('.rail-foot', { hasText: /^1 worker · mock$/ }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Add' }).count(), 0);
  assert.equal(await page.getByRole('checkbox').count(), 0);
  const [job] = await find(page, 'q=media.example/talks');
  assert.ok(job.allowed.includes('cancel'));
  await page.goto(`/jobs/${job.id}`);
  await page.getByRole('region', { name: 'Why' }).getByText('Since').waitFor();
  assert.equal(await page.locator('.actions').count(), 0);
  const [failed] = await find(page, 'q=albums/summer');
  await page.goto(`/jobs/${failed.id}`);
  await page.locator('.item.end-bad').first().waitFor();
  assert.equal(await page.getByText('Replace link').count(), 0);
  await done();
});

test('too many wrong logins: the page counts the wait down', needs_mock, async () => {
  const { page, leave } = await visit_logged_in(bench);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Name and password' }).click();
  await page.getByLabel('Name').fill('mira');
  for (let n = 0; n < 6; ++n) {
    await page.getByLabel('Password').fill('wrong');
    const answered = page.waitForResponse('**/login');
    await page.keyboard.press('Enter');
    await answered;
  }

  await page.getByText(/You can try again in \d+ s/).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Log in', exact: true }).isDisabled());
  await leave();
});
