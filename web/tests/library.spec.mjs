// The library and one book, against the mock or a daemon. The tests add books over the API.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostile } from '../mock/hostile.mjs';
import { make_book, post_book, use_bench, visit_logged_in } from './browser.mjs';

const bench = use_bench();

const rows = (page) => page.locator('.books .row');

test('a new book is in the archive, is found, and has its own page', async () => {
  const { page, done } = await visit_logged_in(bench);
  const mark = `shelf${Date.now()}`;
  await make_book(page, `${mark}.a 1`, `${mark} Dune`);
  await make_book(page, `${mark}-b`, `${mark} Emma`);

  await page.getByRole('link', { name: 'Library' }).click();
  await page.waitForURL(/\/library$/);
  await page.getByLabel('Search the books').fill(mark);
  await page.waitForURL(new RegExp(`q=${mark}`));
  await page.waitForFunction(() => document.querySelectorAll('.books .row').length === 2);
  assert.match(await rows(page).first().textContent(), /Dune/);
  await page.getByRole('button', { name: /^library/ }).click();
  await page.getByText('No books found').waitFor();
  await page.getByRole('button', { name: /^archive/ }).click();
  await rows(page).first().getByRole('link').click();

  await page.locator('article.book[data-shelf=archive]').waitFor();
  assert.equal(new URL(page.url()).pathname, `/library/${mark}.a%201`);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).getByText(`${mark} Dune`).waitFor();
  await page.getByRole('region', { name: 'The text' }).getByText('none yet').waitFor();
  await page.getByRole('link', { name: 'Library' }).first().click();
  await page.waitForURL(/\/library/);
  await done();
});

test('Download opens the form with id, title and type of the book filled in', async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto(await make_book(page, 'form & <b>', 'A "quoted" title'));

  await page
    .getByRole('region', { name: 'The audio' })
    .getByRole('link', { name: 'Download…' })
    .click();

  await page.waitForURL(/\/add\?as=book/);
  assert.equal(await page.getByLabel('book_id').inputValue(), 'form & <b>');
  assert.equal(await page.getByLabel('title').inputValue(), 'A "quoted" title');
  assert.equal(await page.getByLabel('media_type').inputValue(), 'audio');
  await done();
});

test('hostile titles and ids are text in the library and on their page', async () => {
  const { page, quiet, done } = await visit_logged_in(bench);
  const paths = [];
  for (const [index, name] of hostile.entries()) {
    const [id, title] = [`hostile<${index}>`, name.slice(0, 240)];
    if (/\p{Cc}/u.test(title)) assert.equal(await post_book(page, id, title), 400, id);
    else paths.push(await make_book(page, id, title));
  }
  paths.push(await make_book(page, '"><img src=x onerror=window.hacked=3>', ''));

  for (const path of ['/library?q=hostile<', ...paths]) {
    await page.goto(path);
    await page.locator('.books .row, article.book').first().waitFor();
    await quiet();
    const [text, wide] = await page.evaluate(() => [
      document.body.textContent,
      document.documentElement.scrollWidth > innerWidth,
    ]);
    assert.ok(!/[\u202A-\u202E\u2066-\u2069\u0000-\u0008\u001B]/.test(text), path);
    assert.equal(wide, false, path);
  }
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('#app img, #app script').count(), 0);
  await done();
});

test('the library works with keys: b, slash, j, Enter', async () => {
  const { page, done } = await visit_logged_in(bench);
  await make_book(page, 'keys-1', 'Keys one');
  await make_book(page, 'keys-2', 'Keys two');
  await page.goto('/jobs');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();

  await page.keyboard.press('b');
  await page.waitForURL(/\/library$/);
  await rows(page).first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('keys-');
  await page.waitForURL(/q=keys-/);
  await page.waitForFunction(() => document.querySelectorAll('.books .row').length === 2);
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');

  await page.locator('article.book').waitFor();
  assert.match(new URL(page.url()).pathname, /^\/library\/keys-[12]$/);
  await done();
});

test('an unknown book shows that it does not exist', async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/library/nobody-knows-this');
  await page.getByRole('heading', { name: 'There is no such book' }).waitFor();
  await done();
});
