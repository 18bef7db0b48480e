// Films and series in the library, importing by hand, and the trash, with the mock's jobs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs_mock, use_bench, visit, visit_logged_in } from './browser.mjs';
import { faint_text } from './contrast.mjs';

const bench = use_bench({ only_on_mock: true });

const job_of = (page, title) =>
  page.evaluate(
    (q) =>
      fetch(`/api/v1/jobs?limit=1&lifecycle=media&q=${encodeURIComponent(q)}`)
        .then((answer) => answer.json())
        .then((list) => list.items[0].id),
    title,
  );

const row_of = (page, title) => page.locator('.film', { hasText: title });

// Opens the files of a film; returns their list.
async function open_files(page, title) {
  const row = row_of(page, title);
  await row.getByRole('button', { name: `Files of ${title}` }).click();
  const files = row.getByRole('list', { name: 'Files in the library' });
  await files.getByRole('listitem').first().waitFor();
  return files;
}

async function log_in_as(page, name) {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Name and password' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill('harbour');
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
}

test('films and series stand beside the books and are found', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/library');
  const parts = page.getByRole('navigation', { name: 'Parts of the library' });

  await parts.getByRole('link', { name: 'Films and series' }).click();
  await page.waitForURL(/\/films$/);
  await row_of(page, 'Sherlock Jr').waitFor();
  const current = page.getByRole('navigation', { name: 'Pages', exact: true });
  await current.locator('a[aria-current=page]', { hasText: 'Library' }).waitFor();

  await page.getByLabel('Search the films and series').fill('harbour');
  await page.waitForURL(/q=harbour/);
  await page.waitForFunction(() => document.querySelectorAll('.film').length === 1);
  await row_of(page, 'Harbour Lights (2021) S02').getByText('series', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Failed/ }).click();
  await page.getByText('No films or series found').waitFor();
  await page.getByRole('link', { name: 'Show all films and series' }).click();
  await page.waitForURL(/\/films$/);
  await done();
});

test('S1-10, A1-4: each file says where it went, how, and what proves it', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/films');

  const season = await open_files(page, 'Harbour Lights (2021) S02');
  assert.equal(await season.locator(':scope > li').count(), 3);
  const first = season.locator(':scope > li').first();
  await first.getByText('/srv/media/series/Harbour Lights/Season 02', { exact: false }).waitFor();
  await first.getByText('reflink', { exact: true }).waitFor();
  await first.getByText('Proven: Jellyfin lists it with this path and size').waitFor();
  const sherlock = await open_files(page, 'Sherlock Jr (1924)');
  await sherlock.getByText('hard link', { exact: true }).waitFor();
  await sherlock.getByText('Proven: Plex lists it with this path and size').waitFor();
  const sunrise = await open_files(page, 'Sunrise (1927)');
  await sunrise.getByText('copy', { exact: true }).waitFor();
  await sunrise.getByText('Proven: haul read it again, and its bytes are the same').waitFor();
  const crowd = await open_files(page, 'The Crowd (1928)');
  await crowd.locator('.end-partly').getByText('By title only: Plex lists the title').waitFor();
  const general = await open_files(page, 'The General (1926)');
  await general.getByText('Not proven yet').waitFor();
  await done();
});

test('a film without files in the library says so', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/films?q=Metropolis');
  const button = page.getByRole('button', { name: 'Files of Metropolis (1927)' });
  assert.equal(await button.getAttribute('aria-expanded'), 'false');

  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByText('None of its files is in the library.').waitFor();
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  await page.keyboard.press('Enter');
  await page.getByText('None of its files is in the library.').waitFor({ state: 'detached' });
  await done();
});

test("Z-4: a job's page names its files, and what became of the download", needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto(`/jobs/${await job_of(page, 'Harbour Lights')}`);
  const panel = page.getByRole('region', { name: 'In the library' });
  await panel.getByText('3 files').waitFor();
  await panel.getByText('1 other file of the download').click();
  await panel.getByText('/srv/torrents/Harbour Lights.S02/info.nfo').waitFor();
  await panel.getByText('moved to the trash').waitFor();

  await page.goto(`/jobs/${await job_of(page, 'Faust')}`);
  await panel.getByText('kept: it has changed').waitFor();
  const text = await page.evaluate(() => document.body.textContent);
  assert.ok(!/[\u202A-\u202E\u2066-\u2069]/.test(text), 'the page has no hidden characters');
  await page.goto(`/jobs/${await job_of(page, 'Safety Last')}`);
  await panel.getByText('Not proven: haul keeps the download').waitFor();
  await done();
});

test(
  'S1-21: what a user says by hand is previewed, and imported only after that',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    const id = await job_of(page, 'Tidal');
    const sent = [];
    page.on('request', (request) => {
      if (request.url().endsWith(`/jobs/${id}/import`)) sent.push(request.postDataJSON());
    });
    await page.goto('/films?q=Tidal');
    await row_of(page, 'Tidal').getByText('needs your import').waitFor();
    await page.goto(`/jobs/${id}`);
    const panel = page.getByRole('region', { name: 'Import by hand' });
    const confirm = panel.getByRole('button', { name: 'Import', exact: true });
    await panel.getByRole('alert').getByText('the name does not say which episode').waitFor();
    const files = panel.getByRole('list', { name: 'Files of the download' });
    assert.equal(await files.getByRole('listitem').count(), 3);
    assert.ok(await confirm.isDisabled());

    await panel.getByLabel('What Tidal/Tidal 1.mkv is').fill('first');
    await panel.getByText('Preview it to see the names').waitFor();
    await page.keyboard.press('Enter');
    await panel.getByRole('alert').getByText('"first" is not an episode').waitFor();
    await panel.getByLabel('What Tidal/Tidal 1.mkv is').fill('S01E01');
    await panel.getByLabel('What Tidal/Tidal 2.mkv is').fill('skip');
    await panel.getByRole('button', { name: 'Preview' }).click();
    await panel.getByText('1 file would go into the library, 2 files not').waitFor();
    await files.getByText('Tidal/S01E01.mkv').waitFor();
    await files.getByText('stays out: left out').waitFor();
    await files.getByText('stays out: sample').waitFor();
    assert.equal(await panel.getByRole('alert').count(), 0);
    await panel.getByLabel('What it is').fill('S02');
    assert.ok(await confirm.isDisabled(), 'a change needs another preview');
    await panel.getByLabel('What it is').fill('');
    await confirm.click();

    await panel.getByText('haul tries to import it with what you said.').waitFor();
    await page.locator('article.job[data-state=imported]').waitFor();
    await panel.waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: 'In the library' })
      .getByText('Not proven yet')
      .waitFor();
    assert.ok(sent.slice(0, -1).every((body) => body.dry_run === true));
    assert.deepEqual(sent.at(-1), {
      files: { 'Tidal/Tidal 1.mkv': 'S01E01', 'Tidal/Tidal 2.mkv': 'skip' },
      dry_run: false,
    });
    await done();
  },
);

test('an import that the server refuses keeps what was typed', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  const id = await job_of(page, 'Ebb');
  let broken = true;
  await page.route(`**/jobs/${id}/import`, (route) =>
    broken
      ? route.fulfill({ status: 503, json: { code: 'busy', detail: 'the library is busy' } })
      : route.continue(),
  );
  await page.goto(`/jobs/${id}`);
  const panel = page.getByRole('region', { name: 'Import by hand' });
  await panel.getByRole('alert').getByText('The library is busy').waitFor();

  broken = false;
  await panel.getByRole('button', { name: 'Try again' }).click();
  await panel.getByLabel('What it is').fill('S01E03');
  await panel.getByRole('button', { name: 'Preview' }).click();
  await panel.getByText('1 file would go into the library').waitFor();
  broken = true;
  await panel.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('The import was refused: The library is busy').waitFor();

  assert.equal(await panel.getByLabel('What it is').inputValue(), 'S01E03');
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await done();
});

test('a viewer sees that a job waits, the trash, and no button', needs_mock, async () => {
  const { page, done } = await visit(bench);
  await log_in_as(page, 'olga');

  await page.goto(`/jobs/${await job_of(page, 'Ebb')}`);
  const panel = page.getByRole('region', { name: 'Import by hand' });
  await panel.getByText('Its owner or an operator can say what its files are.').waitFor();
  assert.equal(await panel.getByRole('textbox').count(), 0);
  await page.goto('/trash');
  await page.locator('.trashed').first().waitFor();
  assert.equal(await page.locator('.trash').getByRole('button').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Empty the trash…' }).count(), 0);
  await done();
});

for (const colorScheme of ['light', 'dark'])
  test(`films, an import and the trash are readable, ${colorScheme}`, needs_mock, async () => {
    const visitor = await visit_logged_in(bench, {
      colorScheme,
      viewport: { width: 360, height: 780 },
    });
    const { page, quiet } = visitor;
    const views = {
      '/films': () => open_files(page, 'Harbour Lights (2021) S02'),
      [`/jobs/${await job_of(page, 'Ebb')}`]: () => page.locator('.plan-row').first().waitFor(),
      [`/jobs/${await job_of(page, 'Faust')}`]: () => page.locator('.landed').waitFor(),
      '/trash': () => page.getByRole('button', { name: 'Empty the trash…' }).click(),
    };

    for (const [path, open] of Object.entries(views)) {
      await page.goto(path);
      await open();
      await quiet();
      assert.deepEqual(await page.evaluate(faint_text), [], path);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${path}: ${width}`);
    }
    await visitor.done();
  });

// The last test: it changes the trash.
test('the trash restores files, and is emptied only after a question', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/trash');
  await page.waitForFunction(() => document.querySelectorAll('.trashed').length === 6);
  const of = async (title) =>
    page.getByRole('region', { name: `Trash of job ${await job_of(page, title)}` });
  const harbour = await of('Harbour Lights');
  const sherlock = await of('Sherlock Jr');
  assert.equal(await harbour.getByRole('listitem').count(), 3);

  await harbour.getByRole('button', { name: /^Restore Harbour Lights.*E02\.mkv$/ }).click();
  await page.getByText('1 file restored').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.trashed').length === 5);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  await sherlock.getByRole('button', { name: /^Restore all files of job/ }).click();
  await page.getByRole('alert').getByText('another file is in its place').waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.trashed').length === 4);

  await page.getByRole('button', { name: 'Empty the trash…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Empty the trash?' });
  await dialog.getByRole('button', { name: 'Go back' }).click();
  assert.equal(await page.locator('.trashed').count(), 4);
  await page.getByRole('button', { name: 'Empty the trash…' }).click();
  await dialog
    .getByLabel('Which files')
    .selectOption({ label: 'Files removed more than 7 days ago' });
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('3 files deleted, 5.00 GiB freed').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.trashed').length === 1);
  await sherlock.getByRole('button', { name: /^Delete all files of job/ }).click();
  await page
    .getByRole('dialog', { name: /^Empty the trash of job \d+\?$/ })
    .getByRole('button', { name: 'Delete for good' })
    .click();

  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
  await done();
});
