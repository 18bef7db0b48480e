// Every trouble of mock/troubles.json on the page of a job: the sentence, its code, the time of the
// next step and the jobs that hold it back, each as text. tests/troubles_test.cc of the repository
// writes that file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { needs_mock, use_bench, visit_logged_in } from './browser.mjs';

const bench = use_bench({ only_on_mock: true });

const read_troubles = () =>
  JSON.parse(readFileSync(new URL('../mock/troubles.json', import.meta.url), 'utf8'));

const first_up = (text) => text[0].toUpperCase() + text.slice(1);

// The same answer, given at `now` instead of the trouble's own time.
function moved_to(now, trouble) {
  const moved = (at) =>
    at && new Date(Date.parse(at) + now - Date.parse(trouble.now)).toISOString();
  const { why } = trouble;
  return {
    ...why,
    since: moved(why.since),
    seen_at: moved(why.seen_at),
    next_at: moved(why.next_at),
  };
}

function time_text(at, now) {
  const s = Math.ceil((Date.parse(at) - now) / 1000);
  if (s <= 1) return 'now';
  return `in ${s < 60 ? `${s} s` : s < 3600 ? `${Math.floor(s / 60)} min` : `${Math.floor(s / 3600)} h`}`;
}

// What the page must show of an answer.
const expected = (why, now) => ({
  because: first_up(why.because),
  code: why.code,
  since: why.since,
  next: why.next && first_up(why.next) + (why.next_at ? ` · ${time_text(why.next_at, now)}` : ''),
  held_by: why.holders.length ? why.holders.map((id) => `#${id}`).join(', ') : null,
});

// Runs in the page: what it shows. Null while it shows another job.
function shown(job) {
  const panel = document.querySelector(`article.job[data-job="${job}"] .why`);
  if (!panel?.querySelector('.why-because .prose')) return null;
  const facts = new Map(
    [...panel.querySelectorAll('.why-more > div')].map((row) => [
      row.querySelector('dt').textContent,
      row.querySelector('dd'),
    ]),
  );
  return {
    because: panel.querySelector('.why-because .prose').textContent,
    code: panel.querySelector('.why-because code').textContent,
    since: facts.get('Since').querySelector('time').dateTime,
    next: facts.get('Next')?.textContent ?? null,
    held_by: facts.get('Held by')?.textContent ?? null,
  };
}

test('the page names every trouble: sentence, code, time and holders', needs_mock, async () => {
  const troubles = read_troubles();
  assert.ok(troubles.length >= 30);
  const now = Date.now();
  const { page, done } = await visit_logged_in(bench);
  await page.clock.setFixedTime(now);
  const jobs = await page.evaluate(() =>
    fetch('/api/v1/jobs?limit=100')
      .then((answer) => answer.json())
      .then((list) => list.items.map((job) => job.id)),
  );
  assert.ok(jobs.length >= troubles.length);
  const answers = new Map(troubles.map((trouble, i) => [jobs[i], moved_to(now, trouble)]));
  await page.route('**/api/v1/jobs/*/why', (route) => {
    const id = Number(new URL(route.request().url()).pathname.split('/').at(-2));
    return route.fulfill({ json: { ...answers.get(id), job: id } });
  });

  for (const [i, trouble] of troubles.entries()) {
    const job = jobs[i];
    await page.evaluate((path) => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/jobs/${job}`);
    await page
      .locator(`article.job[data-job="${job}"] .why-because code`, { hasText: trouble.why.code })
      .waitFor();
    assert.deepEqual(
      await page.evaluate(shown, job),
      expected(answers.get(job), now),
      trouble.name,
    );
  }
  await done();
});
