// A link that expired, on a real daemon: another one on the page, and the file arrives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add_link, files_url, on_mock, use_bench, visit_logged_in } from './browser.mjs';

const bench = use_bench({ skip: on_mock });
const needs_daemon = on_mock ? { skip: 'needs a daemon' } : {};

test('a file whose link expired arrives from another link', needs_daemon, async () => {
  const { page, done } = await visit_logged_in(bench);
  const file = `${files_url}/f/expired${Date.now()}.bin?size=300000`;
  await add_link(page, `${file}&close_after=200000&close_times=1&status=403&status_after=1`);
  const row = page.locator('.item.end-bad');
  await row.getByRole('button', { name: /^Replace the link of / }).click();
  const former = page.url();

  await row.getByLabel('New link of the same file').fill(file);
  await row.getByRole('button', { name: 'Replace', exact: true }).click();

  await page.waitForURL((url) => /\/jobs\/\d+$/.test(url.pathname) && url.href !== former);
  await page.locator('article.job[data-state=COMPLETED]').waitFor({ timeout: 30_000 });
  const arrived = page.locator('.item.end-good');
  await arrived.first().waitFor();  // The items may come after the state.
  assert.equal(await arrived.count(), 1);
  await done();
});
