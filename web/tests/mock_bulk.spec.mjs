// Deleting jobs, priorities, orders, and actions on all jobs that match the filter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs_mock, use_bench, visit_logged_in } from './browser.mjs';

const bench = use_bench({ only_on_mock: true });

// Adds paused jobs whose URLs have the mark, and returns their ids.
const add_many = (page, mark, count) =>
  page.evaluate(
    ([word, n]) =>
      fetch('/api/v1/jobs/batch', {
        method: 'POST',
        headers: { 'X-Haul': '1', 'Content-Type': 'application/json' },
        body: JSON.stringify(
          Array.from({ length: n }, (_, index) => ({
            lifecycle: 'batch',
            paused: true,
            request: { url: `http://files.example/f/${word}-${index}.bin?size=1000` },
          })),
        ),
      })
        .then((answer) => answer.json())
        .then((list) => list.map((one) => one.job.id)),
    [mark, count],
  );

const rows = (page, count) =>
  page.waitForFunction((n) => document.querySelectorAll('.row').length === n, count);

test('an ended job is deleted from its page after a question', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const [id] = await add_many(page, 'deleted', 1);
  await page.goto(`/jobs/${id}`);
  await page.getByRole('button', { name: 'Cancel…' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Delete…' }).count(), 0);
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel the job' }).click();

  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this job?' });
  await dialog.getByText('Its files stay').waitFor();
  await dialog.getByRole('button', { name: 'Delete the job' }).click();

  await page.waitForURL(/\/jobs(\?|$)/);
  await page.goto('/jobs?q=deleted-0');
  await page.getByText('No jobs found').waitFor();
  await page.goto(`/jobs/${id}`);
  await page.locator('.job-tags').getByText('deleted').waitFor();
  await done();
});

test('a job is deleted with its files only if the box is checked', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const id = await page.evaluate(() =>
    fetch('/api/v1/jobs?end=good&lifecycle=batch&limit=100')
      .then((answer) => answer.json())
      .then((list) => list.items.find((job) => job.counts.downloaded > 0).id),
  );
  await page.goto(`/jobs/${id}`);
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this job?' });
  const box = dialog.getByRole('checkbox', { name: /Also delete its [\d,]+ files? \(/ });
  assert.equal(await box.isChecked(), false);
  await dialog.getByText('Its files stay').waitFor();
  await box.check();
  await dialog.getByText('haul deletes its files for good').waitFor();
  await dialog.getByRole('button', { name: 'Delete the job' }).click();

  await page.waitForURL(/\/jobs(\?|$)/);
  await page.goto(`/jobs/${id}`);
  await page.getByText(/removed \(/).waitFor();
  await done();
});

test(
  'a priority is chosen on the page of a job, and lists are sorted by it',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    const ids = await add_many(page, 'ranked', 3);
    await page.goto(`/jobs/${ids[0]}`);
    await page.getByLabel('Priority').selectOption('high');
    await page.getByText('high priority').waitFor();

    await page.goto('/jobs?q=ranked');
    await rows(page, 3);
    await page.getByLabel('Order of the jobs').selectOption('priority');
    await page.waitForURL(/sort=priority/);
    await page.waitForFunction(
      (id) => document.querySelector('.row')?.dataset.job === String(id),
      ids[0],
    );
    await done();
  },
);

test('all jobs that match are counted before an action takes them', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await add_many(page, 'matching', 60);
  await page.goto('/jobs?q=matching-');
  await rows(page, 50);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel all jobs that match?' });
  await dialog.getByText('60 jobs match the filter; cancel acts on 60 of them.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel 60 jobs' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.row.end-stopped').length === 50);

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Select all that match' }).click();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete 60 jobs' }).click();
  await page.getByText('No jobs found').waitFor();
  await done();
});
