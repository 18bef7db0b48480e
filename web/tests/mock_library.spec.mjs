// Library tests that need the mock's books: available and missing files, jobs in progress.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostile } from '../mock/hostile.mjs';
import { needs_mock, use_bench, visit_logged_in } from './browser.mjs';

const bench = use_bench({ only_on_mock: true });

const rows = (page) => page.locator('.books .row');

test('the library shows available, missing and arriving files, live', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/library?q=earthsea');
  const row = rows(page).first();
  await row.getByText('918 KiB').waitFor();
  await row.getByRole('progressbar').waitFor();
  const [job] = await page.evaluate(() =>
    fetch('/api/v1/books/b-18')
      .then((answer) => answer.json())
      .then((book) => book.open_jobs),
  );

  await page.evaluate(
    (id) =>
      fetch(`/api/v1/jobs/${id}/cancel`, { method: 'POST', headers: { 'X-Haul': '1' } }).then(
        (answer) => answer.status,
      ),
    job.id,
  );

  await row.getByRole('progressbar').waitFor({ state: 'detached' });
  await row.getByText('none', { exact: true }).waitFor({ state: 'attached' });
  await page.goto('/library?q=emma');
  await rows(page).first().getByText('missing').waitFor();
  await rows(page).first().getByText('deleted').waitFor();
  await done();
});

test('the history of a book loads more on request', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/library/emma');
  const history = page.getByRole('region', { name: 'History' });
  await history.getByRole('listitem').nth(19).waitFor();
  assert.equal(await history.getByRole('listitem').count(), 20);

  await history.getByRole('button', { name: 'Show earlier jobs' }).click();
  await history.getByRole('listitem').nth(23).waitFor();

  assert.equal(await history.getByRole('button').count(), 0);
  await page.getByRole('region', { name: 'The text' }).getByText('missing').waitFor();
  await history.getByRole('link').first().click();
  await page.locator('article.job').waitFor();
  await page.getByRole('link', { name: 'its book' }).click();
  await page.locator('article.book').waitFor();
  await done();
});

// The API refuses control characters, but an older store may contain them.
test('control characters in a stored title are shown by their code', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const index = hostile.findIndex((name) => name.startsWith('bell'));
  for (const path of [`/library?q=hostile-${index}`, `/library/hostile-${index}`]) {
    await page.goto(path);
    const place = page.locator('.books .row, article.book').first();
    await place.getByText('⟨U+0007⟩').first().waitFor();
    const text = await page.evaluate(() => document.body.textContent);
    assert.ok(!/[\u0000-\u0008\u001B]/.test(text), path);
  }
  await done();
});
