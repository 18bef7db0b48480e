// The page Relay, with the mock's jobs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs_mock, use_bench, visit_logged_in } from './browser.mjs';
import { faint_text } from './contrast.mjs';

const bench = use_bench({ only_on_mock: true });

const row_of = (page, title) => page.locator('.film', { hasText: title });

test('relays are listed with chat and progress, and a new one is sent', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/jobs');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByText('Relay').click();
  await page.waitForURL(/\/relays$/);
  await row_of(page, 'lecture-03.mp4').getByRole('progressbar').waitFor();
  await row_of(page, 'lecture-03.mp4').getByText('-100123').waitFor();

  await page.getByLabel('Path on the disk').fill('disk:/Talks/new-talk.mp4');
  await page.getByLabel('Chat').fill('@talks');
  await page.getByRole('button', { name: 'Send' }).click();
  const row = row_of(page, 'new-talk.mp4');
  await row.getByText('@talks').waitFor();
  assert.equal(await page.getByLabel('Path on the disk').inputValue(), '');
  await row.getByText('/Talks').waitFor();
  await done();
});

test('a queued relay can be cancelled in its row', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/relays');
  await row_of(page, 'lecture-01.mp4')
    .getByRole('button', { name: 'Cancel lecture-01.mp4' })
    .click();
  await row_of(page, 'lecture-01.mp4').getByText('CANCELLED').waitFor();
  await done();
});

for (const colorScheme of ['light', 'dark'])
  test(`the page Relay is readable, ${colorScheme}`, needs_mock, async () => {
    const visitor = await visit_logged_in(bench, {
      colorScheme,
      viewport: { width: 360, height: 780 },
    });
    const { page, quiet } = visitor;
    await page.goto('/relays');
    await row_of(page, 'lecture-02.mp4').waitFor();
    await quiet();
    assert.deepEqual(await page.evaluate(faint_text), []);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${width}`);
    await visitor.done();
  });
