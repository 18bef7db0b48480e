// Images with the mock's jobs: the prompt form, the gallery, the credits and the review.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needs_mock, use_bench, visit, visit_logged_in } from './browser.mjs';
import { faint_text } from './contrast.mjs';

const bench = use_bench({ only_on_mock: true });

const tile_of = (page, prompt) => page.locator('.tile', { hasText: prompt });

async function log_in_as(page, name) {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Name and password' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill('harbour');
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
}

async function make(page, prompt) {
  await page.getByLabel('Prompt', { exact: true }).fill(prompt);
  await page.getByRole('button', { name: 'Make image for 2 credits' }).click();
}

const left = async (page) =>
  Number(/\d+/.exec(await page.getByTitle('Your credits').textContent())[0]);

test(
  'S4-3: the form says the price and the credits, and a new image takes its price',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    await page.goto('/images');
    await page.getByText('An image costs 2 credits.').waitFor();
    await page.getByText('blocks the prompt for safety, 2 credits are spent').waitFor();
    const before = await left(page);

    await make(page, 'Gulls over a slate roof');
    const tile = tile_of(page, 'Gulls over a slate roof');
    await tile.getByRole('button', { name: 'Show Gulls over a slate roof' }).waitFor();
    await tile.locator('img').waitFor();

    assert.equal(await page.getByLabel('Prompt', { exact: true }).inputValue(), '');
    await page.waitForFunction(
      (wanted) => document.querySelector('.image-left')?.textContent.startsWith(`${wanted} `),
      before - 2,
    );
    await done();
  },
);

test('S4-2: a refused prompt says why and what to do, and costs nothing', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/images');
  await page.getByTitle('Your credits').waitFor();
  const before = await left(page);

  await make(page, 'a forbidden word');
  const alert = page.getByRole('alert');
  await alert.getByText('The prompt has a blocked word').waitFor();
  await alert.getByText('Change the prompt. Nothing was spent.').waitFor();
  assert.equal(await page.getByLabel('Prompt', { exact: true }).inputValue(), 'a forbidden word');
  assert.equal(await left(page), before);

  await page.getByText('Parameters of the provider').click();
  await page.getByLabel('Parameters as JSON').fill('not json');
  await page.getByRole('button', { name: /Make image/ }).click();
  await page.getByText('not JSON: params is an object').waitFor();
  await done();
});

test(
  'S4-10: a blocked image says so on its tile, and its credits are spent',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    await page.goto('/images');
    await make(page, 'something unsafe');
    const tile = tile_of(page, 'something unsafe');
    await tile.getByText('the provider blocked the image: violence').waitFor();
    const job = await tile.getAttribute('data-job');

    await page.goto('/images?view=credits');
    const rows = page
      .getByRole('table', { name: 'Credit history' })
      .locator('tr', { hasText: `#${job}` });
    await rows.nth(1).waitFor();
    assert.match(await rows.nth(0).textContent(), /spend2/);
    assert.match(await rows.nth(1).textContent(), /reserve−2/);
    await done();
  },
);

test('a picture opens large, by keys too, and can be downloaded', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/images?end=good&q=hills');
  await page.getByRole('button', { name: 'Show Rolling hills' }).focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('dialog');
  await box.getByText('Rolling hills with a river, flat colours').waitFor();
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
  const focused = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  assert.match(focused, /^Show Rolling hills/);

  await page.goto('/images?end=good');
  await page.getByRole('button', { name: 'Show Rolling hills' }).click();
  await page.waitForFunction(
    () =>
      document.querySelectorAll('.tile-open img').length ===
      document.querySelectorAll('.tile-open').length,
  );
  await page.keyboard.press('ArrowRight');
  await box.getByText('A desk with maps').waitFor();
  await page.keyboard.press('ArrowLeft');
  await box.getByText('Rolling hills').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    box.getByRole('link', { name: 'Download' }).click(),
  ]);
  assert.match(file.suggestedFilename(), /^image-\d+\.svg$/);
  await done();
});

test("a job's page shows its picture", needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/images?q=herons');
  await page.getByRole('link', { name: 'Two herons in reeds' }).first().click();
  const panel = page.getByRole('region', { name: 'Result' });
  await panel.getByRole('img', { name: 'Two herons in reeds, woodblock print' }).waitFor();
  await panel.getByRole('link', { name: 'Download' }).waitFor();
  assert.equal(await panel.getByText('assets').count(), 0);
  await done();
});

test(
  'S4-14: dead letters are reviewed by reason and replayed as new jobs',
  needs_mock,
  async () => {
    const { page, done } = await visit_logged_in(bench);
    await page.goto('/images?view=review');
    await page.getByText('A replay is a new job that costs its owner 2 credits.').waitFor();
    await page.getByRole('button', { name: /^provider_busy/ }).click();
    await page.waitForURL(/reason=provider_busy/);
    await page.waitForFunction(() => document.querySelectorAll('.letter').length === 3);

    await page.getByRole('button', { name: 'Replay A clockwork fox' }).click();
    await page.getByText('1 image replayed').waitFor();
    await page.getByRole('button', { name: 'Replay these 2…' }).click();
    await page.getByRole('dialog').getByText('Together they cost 4 credits.').waitFor();
    await page.getByRole('button', { name: 'Replay 2 images' }).click();
    await page.getByText('2 images replayed').waitFor();
    await page.waitForFunction(() => !document.querySelector('.letter button'));

    await page.goto('/images?q=clockwork');
    await page.waitForFunction(() => document.querySelectorAll('.tile').length === 2);
    await done();
  },
);

test('an admin grants credits to a user, who sees them in the history', needs_mock, async () => {
  const { page, done } = await visit_logged_in(bench);
  await page.goto('/images?view=credits');
  await page.getByLabel('User').selectOption({ label: 'mira' });
  await page.getByLabel('Credits', { exact: true }).fill('0');
  assert.equal(await page.getByRole('button', { name: 'Grant' }).isDisabled(), true);
  await page.getByLabel('Credits', { exact: true }).fill('25');
  await page.getByLabel('What for').fill('for the posters');
  await page.getByRole('button', { name: 'Grant' }).click();
  await page.getByText('25 credits granted to mira').waitFor();
  await done();

  const mira = await visit(bench);
  await log_in_as(mira.page, 'mira');
  await mira.page.goto('/images?view=credits');
  await mira.page.getByText('for the posters').waitFor();
  assert.equal(await mira.page.getByLabel('What for').count(), 0, 'she cannot grant');
  await mira.done();
});

test('a viewer sees the gallery, but no form and no replay', needs_mock, async () => {
  const { page, done } = await visit(bench);
  await log_in_as(page, 'olga');
  await page.goto('/images');
  await page.getByRole('button', { name: 'Show Rolling hills' }).waitFor();
  assert.equal(await page.getByLabel('Prompt', { exact: true }).count(), 0);
  await page.goto('/images?view=review');
  await page.locator('.letter').first().waitFor();
  assert.equal(await page.getByRole('button', { name: /^Replay/ }).count(), 0);
  await done();
});

test('the text of each part can be read in both themes', needs_mock, async () => {
  for (const colorScheme of ['light', 'dark']) {
    const { page, quiet, done } = await visit_logged_in(bench, { colorScheme });
    for (const path of ['/images', '/images?view=credits', '/images?view=review']) {
      await page.goto(path);
      await quiet();
      assert.deepEqual(await page.evaluate(faint_text), [], `${path} ${colorScheme}`);
    }
    await done();
  }
});

test('nothing on a phone is wider than the screen', needs_mock, async () => {
  const { page, quiet, done } = await visit_logged_in(bench, {
    viewport: { width: 360, height: 740 },
  });
  for (const path of ['/images', '/images?view=credits', '/images?view=review']) {
    await page.goto(path);
    await quiet();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${path} is ${over} px too wide`);
  }
  await done();
});
