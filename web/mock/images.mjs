// Images of the mock: credits, pictures, and the walk of a new job through its states.
import { hostile } from './hostile.mjs';
import { add, end_of, jobs, move, tables } from './world.mjs';

const PRICE = 2;
const MIN = 60_000;
const FAR = 4_000; // Minutes before now.

const entries = []; // The ledger, oldest first.
const assets = new Map();
let next_entry = 1;

function enter(owner, kind, amount, more = {}) {
  entries.push({
    id: next_entry++,
    owner,
    at: new Date(more.at ?? Date.now()).toISOString(),
    kind,
    amount,
    job: more.job ?? null,
    detail: more.detail ?? null,
  });
}

const sum = (owner, kind) =>
  entries
    .filter((one) => one.owner === owner && one.kind === kind)
    .reduce((total, one) => total + one.amount, 0);

function wallet(owner) {
  const [granted, reserved, spent, refunded] = ['grant', 'reserve', 'spend', 'refund'].map((kind) =>
    sum(owner, kind),
  );
  return {
    granted,
    available: granted - reserved + refunded,
    reserved: reserved - spent - refunded,
    spent,
  };
}

const CREDITS = /^\/users\/(\d+)\/credits(\/history)?$/;

export function grant(path, { amount, detail }) {
  const owner = Number(CREDITS.exec(path)[1]);
  enter(owner, 'grant', amount, { detail });
  return { ...wallet(owner), replayed: false };
}

function history(owner, query) {
  const limit = Math.min(100, Number(query.get('limit') ?? 20));
  const before = Number(query.get('before') ?? Infinity);
  const rows = entries.filter((one) => one.owner === owner && one.id < before).reverse();
  const items = rows.slice(0, limit).map(({ owner: _, ...row }) => row);
  return { items, next: rows.length > limit ? String(items.at(-1).id) : null };
}

function reasons(query) {
  const counts = new Map();
  for (const job of jobs.values()) {
    const is = (name) => !query.get(name) || query.get(name) === job[name];
    if (job.reason && is('lifecycle') && is('state'))
      counts.set(job.reason, (counts.get(job.reason) ?? 0) + 1);
  }
  const items = [...counts].map(([reason, count]) => ({ reason, count }));
  return { items: items.sort((a, b) => b.count - a.count) };
}

// What a new image is refused for: [status, code, detail], or null.
export function refusal(owner, { prompt }) {
  if (prompt.length > 4_000) return [422, 'prompt_too_long', 'the prompt is longer than 4000'];
  if (/forbidden/i.test(prompt)) return [422, 'prompt_blocked', 'the prompt has a blocked word'];
  if (wallet(owner).available < PRICE) return [422, 'no_credit', 'too few credits for an image'];
  return null;
}

function reserve(job, at) {
  enter(job.owner, 'reserve', PRICE, { job: job.id, at });
}

function settle(job, kind, at) {
  enter(job.owner, kind, PRICE, { job: job.id, at });
}

export function result(job) {
  const success = end_of(job) === 'good';
  if (success && !job.asset) assets.set((job.asset = assets.size + 1), job.id);
  const url = `/api/v1/assets/${job.asset}/file`;
  return {
    success,
    assets: job.asset
      ? [{ id: job.asset, url, thumbnail_url: `${url}?size=thumbnail`, size: 1_402_311 }]
      : [],
    error_message: success ? null : (job.detail ?? job.reason),
  };
}

// A drawing that differs from job to job.
function picture(id, size) {
  const job = assets.get(id);
  if (!job) return null;
  const turn = (job * 47) % 360;
  const side = size === 'thumbnail' ? 320 : 1024;
  const hills = [0, 1, 2, 3].map((n) => {
    const y = 560 + n * 110;
    const bend = 80 + ((job * (n + 3) * 37) % 140);
    const fill = `hsl(${(turn + 30 * n) % 360} 38% ${52 - n * 11}%)`;
    return `<path d="M0 ${y} Q 256 ${y - bend} 512 ${y} T 1024 ${y - 40} V1024 H0Z" fill="${fill}"/>`;
  });
  const x = 200 + ((job * 131) % 620);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 1024 1024"><rect width="1024" height="1024" fill="hsl(${turn} 55% 82%)"/><circle cx="${x}" cy="300" r="${70 + (job % 60)}" fill="hsl(${(turn + 180) % 360} 80% 72%)"/>${hills.join('')}</svg>`;
}

// The answer to a GET that is about images or credits: a body, or [headers, text]. Null: it is not.
export function read(path, query, user, users) {
  if (path === '/reasons') return reasons(query);
  if (path === '/users' && user.role === 'admin') return { items: users, next: null };
  const [, whose, is_history] = CREDITS.exec(path) ?? [];
  if (whose && (Number(whose) === user.id || user.role === 'admin'))
    return is_history ? history(Number(whose), query) : wallet(Number(whose));
  const asset = /^\/assets\/(\d+)\/file$/.exec(path)?.[1];
  const drawn = asset && picture(Number(asset), query.get('size'));
  if (!drawn) return null;
  const headers = {
    'Content-Type': 'image/svg+xml',
    'X-Content-Type-Options': 'nosniff',
    'Content-Disposition': `inline; filename="image-${asset}.svg"`,
    'Cache-Control': 'private, max-age=600',
  };
  return [headers, drawn];
}

const run = ['claim', 'running'];
const fail = (reason, detail) => ['fail', 'failed', { reason, detail }];
const again = ['requeue', 'queued', { by: 'timer' }];
const done = ['landed', 'completed'];
const give_up = (reason, detail) => ['give_up', 'dead_letter', { by: 'timer', reason, detail }];
const ENDS = { completed: 'spend', rejected: 'spend', dead_letter: 'refund' };

function walk(prompt, steps, minutes, more = {}) {
  const at = Date.now() - minutes * MIN;
  const job = add('image', { prompt, ...more.request }, { at, owner: more.owner ?? 1 });
  reserve(job, at);
  steps.forEach(([on, to, extra], index) => {
    const then = at + (index + 1) * 9_000;
    move(job, on, to, { at: then, ...extra });
    if (ENDS[to]) settle(job, ENDS[to], then);
  });
  job.attempt = steps.filter(([on]) => on === 'fail').length;
  return job;
}

const PROMPTS = [
  'Terraced fields above a lake, gouache',
  'A tram in the rain at night, long exposure',
  'Cross-section of a lighthouse, labelled in a neat hand',
  'Two herons in reeds, woodblock print',
  'An orchard in the first snow, seen from a hot-air balloon that casts its shadow over the rows',
  'Market square of a hill town at noon',
  'A desk with maps, brass instruments and a cup of tea',
  'Rolling hills with a river, flat colours',
];

export function seed_images() {
  tables.get('image').price = PRICE;
  tables.get('image').refunds_rejected = false;
  for (const owner of [1, 2, 3])
    enter(owner, 'grant', 60, { at: Date.now() - FAR * MIN, detail: 'first credits' });
  PROMPTS.forEach((prompt, index) =>
    walk(prompt, [run, done], 2_000 - index * 130, { request: { params: { seed: index } } }),
  );
  hostile.slice(0, 2).forEach((prompt) => walk(prompt, [run, done], 900));
  const busy = 'the provider is overloaded';
  const spent = [run, fail('provider_busy', busy), again, run, fail('provider_busy', busy), again];
  for (const [prompt, owner] of [
    ['A castle made of clouds', 1],
    ['Night train through birch woods', 2],
    ['A clockwork fox', 1],
  ])
    walk(
      prompt,
      [...spent, run, fail('provider_busy', busy), give_up('provider_busy', busy)],
      700,
      { owner },
    );
  const unknown = 'the provider may have been paid: the connection broke before its answer';
  walk(
    'A bridge of glass',
    [run, fail('outcome_unknown', unknown), give_up('outcome_unknown', unknown)],
    300,
  );
}

// A new image takes a few seconds. Its prompt decides how it ends.
export function start(job) {
  reserve(job);
  const later = (ms, act) => setTimeout(act, ms).unref();
  later(400, () => move(job, 'claim', 'running'));
  later(1_600, () => {
    const { prompt } = job.request;
    if (/unsafe/i.test(prompt)) {
      settle(job, 'spend');
      const detail = 'the provider blocked the image: violence';
      return move(job, 'reject', 'rejected', { reason: 'safety_block', detail });
    }
    settle(job, 'spend');
    move(job, 'landed', 'completed');
  });
}
