// The page works with the keyboard alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { key, link, use_bench, visit, visit_logged_in } from './browser.mjs';

const bench = use_bench();

const focused = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return at.getAttribute('aria-label') ?? (at.id || at.textContent.trim());
  });

// Presses Tab until something is focused. A page that needs many presses fails.
async function tab_to(page, wanted, max = 25) {
  for (let step = 0; step < max; ++step) {
    if (wanted.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`no ${wanted} within ${max} tabs`);
}

test('a user logs in, adds and cancels a job without a mouse', async () => {
  const { page, done } = await visit(bench);
  await page.goto('/');
  await page.getByLabel('Key', { exact: true }).waitFor();

  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
  await page.keyboard.press('a');
  await page.getByLabel('Links').waitFor();
  await page.keyboard.type(link('typed.bin', 90_000_000, 400_000));
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'What was added' }).waitFor();
  await tab_to(page, /^typed\.bin$/);
  await page.keyboard.press('Enter');
  await page.locator('article.job[data-state=RUNNING]').waitFor();
  await tab_to(page, /^Cancel…$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Cancel this job?' }).waitFor();
  await tab_to(page, /^Cancel the job$/, 5);
  await page.keyboard.press('Enter');

  await page.locator('article.job[data-state=CANCELLED]').waitFor();
  await done();
});

test('the list: j, k, x, Enter, slash, question mark, Escape', async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/add');
  await page.getByLabel('Links').fill(`${link('k1.bin', 1000)}\n${link('k2.bin', 1000)}`);
  await page.getByRole('button', { name: 'Add 2 links' }).click();
  await page.getByRole('region', { name: 'What was added' }).waitFor();
  await page.goto('/jobs');
  await page.locator('.row').nth(1).waitFor();
  const at_row = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.row')].indexOf(document.activeElement.closest('.row')),
    );

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  assert.equal(await at_row(), 1);
  await page.keyboard.press('k');
  assert.equal(await at_row(), 0);
  await page.keyboard.press('x');
  await page.getByRole('region', { name: 'Selected jobs' }).getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Selected jobs' }).waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.evaluate(() => new Promise(requestAnimationFrame)); // No one types within a frame.
  assert.equal(await at_row(), 0, 'focus returns to the row');
  await page.keyboard.press('/');
  assert.equal(await focused(page), 'search');
  await page.keyboard.type('jkx?a');
  assert.equal(
    await page.getByLabel('Search the jobs').inputValue(),
    'jkx?a',
    'a field receives the keys as letters',
  );
  await page.keyboard.press('Escape');
  await page.locator('.row').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/jobs\/\d+$/);
  await done();
});

test('the first tab stop skips to the content, and single-key shortcuts can be turned off', async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/jobs');
  await page.locator('.row').first().waitFor();

  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Skip to the content');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'main');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.getByLabel('Single keys work as shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  await page.keyboard.press('?');
  assert.equal(new URL(page.url()).pathname, '/jobs');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await done();
});
