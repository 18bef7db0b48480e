// Takes screenshots of every page in both themes, wide and narrow:
// node scripts/shots.mjs FOLDER [WORD]
// With a WORD, takes only those whose name contains it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { open, visit, visit_logged_in } from '../tests/browser.mjs';

const folder = process.argv[2] ?? '.build/shots';
const word = process.argv[3] ?? '';
mkdirSync(folder, { recursive: true });
const bench = await open();

const find = async (page, query) =>
  (await page.evaluate((q) => fetch(`/api/v1/jobs?limit=1&${q}`).then((r) => r.json()), query))
    .items[0].id;
const views = {
  jobs: async (page) => page.goto('/jobs'),
  filtered: async (page) => page.goto('/jobs?lifecycle=media'),
  hostile: async (page) => page.goto('/jobs?q=hostile'),
  nothing: async (page) => page.goto('/jobs?q=nothing-has-this-name'),
  selected: async (page) => {
    await page.goto('/jobs');
    for (const n of [0, 1, 2, 5, 7]) await page.locator('.row input').nth(n).check();
  },
  preview: async (page) => {
    await views.selected(page);
    await page.getByRole('button', { name: 'Cancel…' }).click();
  },
  keys: async (page) => {
    await page.goto('/jobs');
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('?');
  },
  job: async (page) => page.goto(`/jobs/${await find(page, 'q=media.example/talks')}`),
  'job-retry': async (page) => page.goto(`/jobs/${await find(page, 'q=busy.example')}`),
  'job-waits': async (page) => page.goto(`/jobs/${await find(page, 'q=media.example/interviews')}`),
  'job-here': async (page) => page.goto(`/jobs/${await find(page, 'q=metropolis.mkv')}`),
  category: async (page) => page.goto('/jobs?category=films'),
  'job-media': async (page) => page.goto(`/jobs/${await find(page, 'q=Dark Matters')}`),
  'job-relay': async (page) => page.goto(`/jobs/${await find(page, 'q=lecture-04')}`),
  'job-image': async (page) => page.goto(`/jobs/${await find(page, 'q=steam crane')}`),
  'job-book': async (page) => page.goto(`/jobs/${await find(page, 'q=Earthsea')}`),
  'job-done': async (page) => page.goto(`/jobs/${await find(page, 'q=albums/summer')}`),
  'job-hostile': async (page) => page.goto(`/jobs/${await find(page, 'q=very-long')}`),
  'job-lost': async (page) => page.goto('/jobs/999999'),
  library: async (page) => page.goto('/library'),
  films: async (page) => {
    await page.goto('/films');
    await page.getByRole('button', { name: 'Files of Harbour Lights' }).click();
  },
  trash: async (page) => page.goto('/trash'),
  images: async (page) => page.goto('/images'),
  'images-lightbox': async (page) => {
    await page.goto('/images');
    await page.getByRole('button', { name: 'Show Rolling hills' }).click();
  },
  'images-blocked': async (page) => {
    await page.goto('/images');
    await page.getByLabel('Prompt', { exact: true }).fill('a forbidden word');
    await page.getByRole('button', { name: /Make image/ }).click();
  },
  'images-credits': async (page) => page.goto('/images?view=credits'),
  'images-review': async (page) => page.goto('/images?view=review'),
  'trash-empty': async (page) => {
    await page.goto('/trash');
    await page.getByRole('button', { name: 'Empty the trash…' }).click();
  },
  'job-import': async (page) => page.goto(`/jobs/${await find(page, 'q=Tidal')}`),
  'job-landed': async (page) => page.goto(`/jobs/${await find(page, 'q=Harbour Lights')}`),
  'library-nothing': async (page) => page.goto('/library?shelf=library&q=nothing'),
  book: async (page) => page.goto('/library/b-18'),
  'book-lost': async (page) => page.goto('/library/emma'),
  'book-hostile': async (page) => page.goto('/library/hostile-1'),
  add: async (page) => {
    await page.goto('/add');
    await page
      .getByLabel('Links')
      .fill(
        'https://example.org/one.iso\nhttps://refused.example/x.bin\nftp://old.example/x\nhttps://example.org/one.iso',
      );
  },
  added: async (page) => {
    await views.add(page);
    await page.getByRole('button', { name: /Add 2/ }).click();
    await page.getByRole('region', { name: 'What was added' }).waitFor();
  },
  'add-media': async (page) => {
    await page.goto('/add?as=media');
    await page.getByRole('button', { name: 'Add media job' }).click();
  },
  'add-batch': async (page) => page.goto('/add?as=batch'),
};

for (const [size, viewport] of Object.entries({
  wide: { width: 1280, height: 860 },
  phone: { width: 390, height: 844 },
}))
  for (const colorScheme of ['light', 'dark']) {
    const name = (view) => `${view}-${size}-${colorScheme}`;
    const wanted = Object.keys(views).filter((view) => name(view).includes(word));
    const more = {
      viewport,
      colorScheme,
      ...(size === 'phone' ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
    };
    if (name('login').includes(word)) {
      const { page, context } = await visit(bench, more);
      await page.goto('/login');
      await page.getByLabel('Key', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await page.getByRole('alert').waitFor();
      await page.screenshot({ path: join(folder, `${name('login')}.png`) });
      await context.close();
    }
    if (!wanted.length) continue;
    const { page, context, check } = await visit_logged_in(bench, more);
    for (const view of wanted) {
      await views[view](page);
      await page.waitForTimeout(700);
      await page.screenshot({
        path: join(folder, `${name(view)}.png`),
        fullPage:
          /^(job$|job-|add|book|library|films|trash$|images$|images-credits|images-review)/.test(
            view,
          ),
      });
    }
    await check();
    await context.close();
  }
await bench.close();
process.exit(0);
