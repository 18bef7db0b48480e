// Checks the look: no sideways scrolling on a phone, enough contrast, no animation with reduced
// motion, and a theme that stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add_link, link, make_book, use_bench, visit, visit_logged_in } from './browser.mjs';
import { faint_text } from './contrast.mjs';

const bench = use_bench();

// All pages, with one job of each lifecycle and end that exists.
async function each_page({ page, quiet }, call) {
  await add_link(page, link('looked-at.bin', 90_000_000, 800_000));
  const running = new URL(page.url()).pathname;
  const book = await make_book(page, 'looked-at', 'Looked at');
  const list = await page.evaluate(() =>
    fetch('/api/v1/jobs?limit=100').then((answer) => answer.json()),
  );
  const ends = new Map(list.items.map((job) => [`${job.lifecycle} ${job.end}`, `/jobs/${job.id}`]));
  for (const path of [
    '/jobs',
    '/jobs?lifecycle=batch',
    '/jobs?q=nothing-is-called-so',
    '/add',
    '/add?as=batch',
    '/add?as=media',
    '/jobs/987654321',
    '/library',
    '/library?q=nothing-is-called-so',
    book,
    '/library/no-such-book',
    '/films',
    '/films?q=nothing-is-called-so',
    '/trash',
    '/relays',
    running,
    ...ends.values(),
  ]) {
    await page.goto(path);
    await page
      .locator('.row, .empty, .form, article.job .facts:visible, .kinds, .trashed')
      .first()
      .waitFor();
    await quiet();
    await call(path);
  }
  await page.goto('/jobs');
  await page.locator('.row input').first().check();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await call('the preview');
}

for (const width of [360, 390])
  test(`no page is wider than a phone of ${width} pixels`, async () => {
    const visitor = await visit_logged_in(bench, {
      viewport: { width, height: 780 },
      isMobile: true,
      hasTouch: true,
    });

    await each_page(visitor, async (where) => {
      const wide = await visitor.page.evaluate(() => [
        document.documentElement.scrollWidth,
        window.innerWidth,
      ]);
      assert.ok(wide[0] <= width && wide[1] <= width, `${where}: ${wide}`);
    });
    await visitor.done();
  });

for (const colorScheme of ['light', 'dark'])
  test(`text has enough contrast, ${colorScheme}`, async () => {
    const visitor = await visit_logged_in(bench, { colorScheme });

    await each_page(visitor, async (where) =>
      assert.deepEqual(await visitor.page.evaluate(faint_text), [], where),
    );
    await visitor.done();
  });

test('the chosen theme overrides the system and stays', async () => {
  const { page, done } = await visit(bench, { colorScheme: 'dark' });
  await page.goto('/login');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();

  await page.getByRole('button', { name: /^Theme: system/ }).click();
  const light = await ground();
  assert.notEqual(light, dark);
  await page.reload();
  await page.getByRole('button', { name: /^Theme: light/ }).waitFor();
  assert.equal(await ground(), light);
  await done();
});

test('reduced motion turns animations off', async () => {
  const { page, done } = await visit_logged_in(bench, { reducedMotion: 'reduce' });
  await add_link(page, link('still.bin', 90_000_000, 800_000));
  await page.getByRole('progressbar').first().waitFor();

  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await done();
});
