// What holds a job back, in plain words: another try, a host that others use, a file that was here
// already; and categories and the speed limit that holds now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs_mock, use_bench, visit_logged_in } from './browser.mjs';

const bench = use_bench({ only_on_mock: true });

const row = (page, name) => page.locator('.row', { hasText: name });

test('a job that waits for another try says when and why, not RUNNING', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/jobs?q=busy.example');
  const job = row(page, 'report.pdf');
  await job.getByText('waiting to try again').waitFor();
  await job.getByText('next try in 20 s: the server answered 503').waitFor();
  assert.equal(await job.getByText('RUNNING').count(), 0);

  await job.getByRole('link').first().click();
  const head = page.locator('.job-head');
  await head.getByText('next try in 20 s: the server answered 503').waitFor();
  await page
    .getByRole('region', { name: 'Items' })
    .getByText('next try in 20 s: the server answered 503')
    .waitFor();
  await page.getByRole('region', { name: 'Why' }).getByText('waits for another try').waitFor();
  await done();
});

test(
  'a job that waits for a host names it, its limit, and the jobs there',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    await page.goto('/jobs?q=media.example/interviews');
    await row(page, 'interviews').getByText('waiting for media.example').waitFor();

    await row(page, 'interviews').getByRole('link').first().click();
    const why = page.getByRole('region', { name: 'Why' });
    await why.getByText('which serves 2 of 2 requests').waitFor();
    await why.getByRole('link', { name: /^#\d+$/ }).waitFor();
    await done();
  },
);

test('Z-24: a file that was here already says so', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/jobs?q=metropolis.mkv');
  await row(page, 'metropolis').getByRole('link').first().click();
  await page.getByRole('region', { name: 'Items' }).getByText('was here already').waitFor();
  await done();
});

test('a receipt opens by key, whole, as text, and links only to http', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/jobs?q=proof.example');
  await row(page, 'disc.img').getByRole('link').first().click();
  const receipt = page.locator('.receipt');
  const summary = receipt.locator('summary');
  await summary.getByText('Receipt: was here already').waitFor();
  assert.equal(await receipt.locator('dl').isVisible(), false);

  await summary.focus();
  await page.keyboard.press('Enter');

  await receipt.getByText('0123456789abcdef'.repeat(4), { exact: true }).waitFor();
  const read = (name) =>
    receipt.locator('dl > div').filter({ has: page.locator(`dt:text-is("${name}")`) });
  assert.equal(await read('sha512').locator('dd').textContent(), 'fedcba9876543210'.repeat(8));
  assert.equal(
    await read('rule').locator('dd').textContent(),
    'already_here, was hash, its bytes were compared, the certificate was not checked',
  );
  assert.equal(
    await read('etag').locator('dd').textContent(),
    '"<img src=x onerror=window.hacked=3>⟨U+202E⟩"',
  );
  assert.equal(
    (await receipt.locator('dt').allTextContents()).join(', '),
    'file, rule, size, sha256, sha512, sha1, md5, pieces, etag, last modified, url, final url, ' +
      'former url, started over, sources, ranges, segments, engine, beside, landed',
  );
  const links = await receipt.getByRole('link').evaluateAll((all) => all.map((one) => one.href));
  assert.deepEqual(links, [
    'https://proof.example/disc.img',
    'https://cdn.example/disc.img',
    'https://proof.example/disc.img',
  ]);
  assert.equal(await receipt.getByText('javascript:alert(document.domain)').count(), 1);
  assert.equal(await receipt.locator('img, script').count(), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await done();
});

test('a category filters the list, and each of its jobs has its label', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/jobs');
  await page.getByRole('group', { name: 'Category' }).getByText('Films').click();
  await page.waitForURL(/category=films/);
  await row(page, 'metropolis').locator('.category', { hasText: 'Films' }).waitFor();
  assert.equal(await page.locator('.row').count(), 1);
  await done();
});

test('links and forms offer the categories by their labels', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/add');
  await page.getByLabel('Links').fill('https://films.example/nosferatu.mkv');
  await page.getByLabel('Category').selectOption({ label: 'Films' });
  const sent = page.waitForRequest('**/api/v1/jobs/batch');
  await page.getByRole('button', { name: 'Add link' }).click();
  assert.equal((await sent).postDataJSON()[0].request.category, 'films');

  await page.goto('/add?as=batch');
  await page.getByText(/More optional fields/).click();
  await page.getByLabel('limits.per_host').fill('2');
  await page.getByLabel('category').selectOption({ label: 'Field recordings' });
  await page.getByLabel('url', { exact: true }).fill('https://films.example/a.mkv');
  const added = page.waitForRequest('**/api/v1/jobs');
  await page.getByRole('button', { name: 'Add batch job' }).click();
  const { request } = (await added).postDataJSON();
  assert.deepEqual(request.limits, { per_host: 2 });
  assert.equal(request.category, 'field-recordings');
  await done();
});

test('the list says which speed limit holds now, and until when', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/jobs');
  const limit = page.locator('.rail-limit');
  await limit.waitFor();
  assert.match(
    await limit.textContent(),
    /^At most 20\.0 MiB\/s until (\d{4}-\d\d-\d\d )?\d\d:00$/,
  );
  assert.equal(await limit.getAttribute('title'), 'Set by transfer.speed_schedule[0]');
  await done();
});
