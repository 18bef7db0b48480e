// The jobs of the mock: a few dozen in every lifecycle and state, some of them moving.
// `haul lifecycle --json` writes lifecycles.json.
import { readFileSync } from 'node:fs';

export const read_json = (name) =>
  JSON.parse(readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'));

// A daemon with two categories. Their field is the one that has no values in the table itself.
export const categories = new Map([
  ['films', 'Films'],
  ['field-recordings', 'Field recordings'],
]);
const with_categories = (field) =>
  field.name === 'category'
    ? { ...field, values: [...categories.keys()], labels: [...categories.values()] }
    : field;
export const lifecycles = read_json('lifecycles.json').map((table) => ({
  ...table,
  request: table.request.map(with_categories),
  not_ready: '',
}));
export const tables = new Map(lifecycles.map((table) => [table.name, table]));

export const jobs = new Map();
export const events = [];
export const books = new Map();
let last_asset = 0;

export function enter_book(id, title) {
  if (!books.has(id)) books.set(id, { id, title: title || id, assets: [] });
  return books.get(id);
}

// Adds a file of a book; replaces an earlier one of its kind.
export function put_asset(id, media_type, more = {}) {
  const book = enter_book(id, more.title);
  book.assets = book.assets.filter((one) => one.media_type !== media_type);
  book.assets.push({
    id: ++last_asset,
    book: id,
    media_type,
    status: 'available',
    size: 1_800_000,
    created_at: new Date().toISOString(),
    removed_at: null,
    job: null,
    path: `/srv/books/${id}/${media_type}`,
    checksum: null,
    source_url: `https://books.example/${encodeURIComponent(id)}`,
    source: 'gutenberg',
    ...more.asset,
  });
  book.assets.sort((a, b) => (a.media_type < b.media_type ? -1 : 1));
}
const listeners = new Set();
let next_id = 1000;
let next_event = 1;

export const listen = (call) => (listeners.add(call), () => listeners.delete(call));
const tell = (kind, data) => listeners.forEach((call) => call(kind, data));
const iso = (ms) => new Date(ms).toISOString();
const state_of = (job) =>
  tables.get(job.lifecycle).states.find((state) => state.name === job.state);
export const end_of = (job) => state_of(job).end;

const WORKER = 1;
const LEASE_MS = 8_000;
const BEAT_MS = 2_000;
const started_ms = Date.now();

export function workers() {
  const beat = Math.floor((Date.now() - started_ms) / BEAT_MS);
  return [
    {
      id: WORKER,
      name: 'mock:1',
      beat,
      started_at: iso(started_ms),
      beat_at: iso(started_ms + beat * BEAT_MS),
    },
  ];
}

export function note(job, type, more = {}, at = Date.now()) {
  const event = {
    id: next_event++,
    job: job.id,
    seq: job.seq,
    type,
    at: iso(at),
    from: null,
    to: null,
    on: null,
    by: null,
    worker: job.worker,
    reason: null,
    data: null,
    ...more,
  };
  events.push(event);
  tell(type === 'MOVED' ? 'moved' : 'note', event);
}

export function add(lifecycle, request, more = {}) {
  const at = more.at ?? Date.now();
  const job = {
    id: next_id++,
    lifecycle,
    state: tables.get(lifecycle).states[0].name,
    seq: 0,
    owner: more.owner ?? 1,
    request,
    engine: more.engine ?? null,
    handle: null,
    attempt: 0,
    attempts_max: lifecycle === 'batch' || lifecycle === 'media' ? 5 : 3,
    retries: 0,
    due_at: null,
    worker: null,
    reason: null,
    detail: null,
    created_at: iso(at),
    moved_at: iso(at),
    started_at: null,
    ended_at: null,
    missing_since: null,
    paused: Boolean(more.paused),
    priority: more.priority ?? 0,
    retry_of: more.retry_of ?? null,
    hidden_at: null,
    deleted_files: null,
    result: null,
    items: [],
    plan: more.plan ?? null,
    cancel_asked: false,
  };
  jobs.set(job.id, job);
  note(job, 'JOB_ADDED', { to: job.state, data: { url: request.url ?? null } }, at);
  return job;
}

export function move(job, on, to, more = {}) {
  const at = more.at ?? Date.now();
  const from = job.state;
  job.state = to;
  job.seq += 1;
  job.moved_at = iso(at);
  job.reason = more.reason ?? null;
  job.detail = more.detail ?? null;
  job.result = more.result ?? job.result;
  const state = state_of(job);
  job.worker = state.leased ? WORKER : null;
  if (state.leased && !job.started_at) job.started_at = iso(at);
  job.ended_at = state.end === 'open' ? null : iso(at);
  if (state.end === 'open') job.hidden_at = null;
  note(
    job,
    'MOVED',
    {
      from,
      to,
      on,
      by: more.by ?? 'worker',
      worker: job.worker,
      reason: job.reason,
      data: more.data ?? null,
    },
    at,
  );
}

export function log(job, text, at) {
  note(job, 'LOG', { data: { text } }, at);
}

export function set_items(job, list) {
  job.items = list.map((item, index) => ({
    n: index + 1,
    key: '',
    url: '',
    state: 'PENDING',
    attempt: 0,
    have: 0,
    size: null,
    path: null,
    evidence: null,
    reason: null,
    detail: null,
    updated_at: job.moved_at,
    speed: 0,
    ...item,
  }));
}

// Only a batch has items. The others use one here to make progress.
export const items_of = (job) => (job.lifecycle === 'batch' ? job.items : []);

export function counts(job) {
  const items = items_of(job);
  const of = (state) => items.filter((item) => item.state === state).length;
  const [downloaded, skipped] = [of('COMPLETED'), of('SKIPPED')];
  const completed = downloaded + skipped;
  return {
    total: items.length,
    completed,
    downloaded,
    skipped,
    failed: of('FAILED'),
    cancelled: of('CANCELLED'),
    bytes: items.reduce((sum, { state, size }) => sum + (state === 'COMPLETED' ? size : 0), 0),
    percentage: items.length ? Math.round((1000 * completed) / items.length) / 10 : 0,
  };
}

export function shown_item({ speed, retry, ...item }) {
  const { step, end } = tables.get('item').states.find((one) => one.name === item.state);
  return {
    ...item,
    end,
    progress: step === 'transfer' ? item_progress({ speed, retry, ...item }) : null,
  };
}

const item_progress = ({ n, key, have, size, speed, retry }) => ({
  n,
  name: key,
  have,
  size,
  speed,
  eta: size && speed ? Math.ceil((size - have) / speed) : null,
  status: retry ? `Retrying in ${retry.in} s (${retry.reason})` : 'downloading',
  retry_in: retry?.in ?? null,
  reason: retry?.reason ?? null,
});

export function progress(job) {
  if (end_of(job) !== 'open' || !job.items.length || !job.plan || job.paused) return null;
  if (!['RUNNING', 'downloading', 'DOWNLOADING', 'STREAMING'].includes(job.state)) return null;
  const have = job.items.reduce((sum, item) => sum + item.have, 0);
  const known = job.items.every((item) => item.size !== null);
  const size = known ? job.items.reduce((sum, item) => sum + item.size, 0) : null;
  const speed = job.items.reduce(
    (sum, item) => sum + (item.state === 'DOWNLOADING' ? item.speed : 0),
    0,
  );
  const left = job.items.reduce(
    (sum, { size, have }) => sum + (size === null ? 0 : size - have),
    0,
  );
  return {
    have,
    size,
    speed,
    eta: size && speed ? Math.ceil((size - have) / speed) : null,
    size_least: size === null && left > 0 ? have + left : null,
    eta_least: size === null && left > 0 && speed ? Math.ceil(left / speed) : null,
    waits_for: job.waits_for ?? null,
    retry_in: job.items.find((item) => item.retry)?.retry.in ?? null,
    retry_reason: job.items.find((item) => item.retry)?.retry.reason ?? null,
    resting: false,
  };
}

export function with_client(job) {
  const { end, leased, step } = state_of(job);
  return end === 'open' && !leased && step === 'transfer';
}

export const user_move = (job, on) =>
  tables
    .get(job.lifecycle)
    .moves.find((move) => move.on === on && move.by === 'user' && move.from === job.state);

export function allowed(job) {
  const open = end_of(job) === 'open';
  const can = [];
  if (user_move(job, 'cancel') && !job.cancel_asked) can.push('cancel');
  const failed_items = !open && counts(job).failed > 0;
  if (user_move(job, 'retry') || (job.state === 'dead_letter' && !job.replayed) || failed_items)
    can.push('retry');
  if (open && !job.paused && !with_client(job)) can.push('pause');
  if (open && job.paused) can.push('resume');
  if (!open && !job.hidden_at) can.push('delete');
  return can;
}

export const has_own_files = (job) => job.lifecycle === 'batch';

export function delete_files(job) {
  const { downloaded, bytes } = counts(job);
  const now = iso(Date.now());
  job.deleted_files = {
    removed: downloaded,
    bytes,
    gone: 0,
    kept: 0,
    reasons: [],
    waits_for: null,
    asked_at: now,
    ended_at: now,
  };
}

export function is_stuck(job) {
  const after = state_of(job).stuck_after_s;
  return after !== null && Date.now() - Date.parse(job.moved_at) > after * 1000;
}

export function why(job) {
  const end = end_of(job);
  const shown = counts(job);
  const [code, because, next, wait] =
    end === 'good'
      ? ['arrived', 'it is done', null]
      : end === 'stopped'
        ? ['stopped', 'it was stopped', null]
        : end === 'bad'
          ? ['failed', `it failed (${job.reason})`, null]
          : job.paused
            ? ['paused', 'a user paused it', 'nothing, until it is resumed']
            : job.cancel_asked
              ? [
                  'cancel_asked',
                  'the client must confirm that it stopped',
                  'haul asks the client',
                  9,
                ]
              : job.items.some((item) => item.retry)
                ? [
                    'backoff',
                    '0 of 1 items processed, 0 failed; 1 item waits for another try (http_503)',
                    'another try of report.pdf',
                    20,
                  ]
                : job.waits_for
                  ? [
                      'waiting_for_host',
                      `0 of 1 items processed, 0 failed; items wait for host ${job.waits_for}, which serves 2 of 2 requests`,
                      'a free slot at the host',
                    ]
                  : job.worker && shown.total
                    ? [
                        'transferring',
                        `${shown.completed + shown.failed} of ${shown.total} items processed, ${shown.failed} failed`,
                        'the remaining items',
                      ]
                    : job.worker
                      ? [
                          'working',
                          `a worker works on it (${state_of(job).step})`,
                          'the external service answers',
                        ]
                      : with_client(job)
                        ? ['downloading', 'the client is fetching it', 'haul asks the client', 12]
                        : job.reason
                          ? [
                              'backoff',
                              `attempt ${job.attempt} of ${job.attempts_max} failed (${job.reason})`,
                              'another try',
                              45,
                            ]
                          : ['ready', 'it is due and waits for a worker', 'a worker takes it', 1];
  return {
    job: job.id,
    lifecycle: job.lifecycle,
    state: job.state,
    since: job.moved_at,
    seen_at: job.worker ? iso(Date.now() - 2000) : null,
    code,
    because,
    reason: job.reason,
    detail: job.detail,
    next,
    holders: job.holders ?? [],
    next_at: wait ? iso(Date.now() + wait * 1000) : null,
    stuck: is_stuck(job),
    allowed: allowed(job),
  };
}

// The outcome of an ended job (Z-25).
export function outcome(job) {
  const end = end_of(job);
  if (end === 'open') return null;
  if (job.lifecycle !== 'batch') return end === 'good' ? 'whole' : 'nothing';
  const { downloaded, skipped, failed } = counts(job);
  if (downloaded + skipped === 0) return 'nothing';
  return end === 'good' && failed === 0 ? 'whole' : 'partly';
}

export function shown(job) {
  const { items, plan, cancel_asked, result, asset, replayed, ...row } = job;
  return {
    ...row,
    category: job.request.category ?? null,
    end: end_of(job),
    attempts: job.attempt + job.retries,
    lease_until: job.worker ? iso(Date.now() + LEASE_MS) : null,
    success: end_of(job) === 'good' && counts(job).failed === 0,
    outcome: outcome(job),
    stuck: is_stuck(job),
    allowed: allowed(job),
    counts: counts(job),
    progress: progress(job),
  };
}

const address_of = (item) => item.path ?? item.url;

export function result(job) {
  const files = (state) =>
    items_of(job)
      .filter((item) => item.state === state)
      .map(address_of);
  const { success, counts: counted } = shown(job);
  return {
    success,
    total_files: counted.total,
    completed_files: counted.completed,
    failed_files: files('FAILED'),
    skipped_files: files('SKIPPED'),
    error_message: success ? null : (job.detail ?? job.reason),
    result: job.result,
  };
}

export function finish_items(job, state) {
  for (const item of job.items)
    if (item.state === 'PENDING' || item.state === 'DOWNLOADING') item.state = state;
}

function step_items(job, seconds) {
  const active = job.items.filter((item) => item.state === 'DOWNLOADING');
  for (const item of active) {
    if (item.size === null) continue;
    item.speed = job.plan.speed * (0.8 + Math.random() * 0.4);
    item.have = Math.min(item.size, Math.round(item.have + item.speed * seconds));
    if (item.have < item.size) continue;
    item.state = job.plan.fails?.includes(item.n) ? 'FAILED' : 'COMPLETED';
    if (item.state === 'FAILED')
      [item.reason, item.detail] = ['http_404', 'The server answered 404 Not Found.'];
    else item.path = `${job.request.folder ?? 'downloads'}/${item.key}`;
    item.updated_at = iso(Date.now());
  }
  const at_once = job.plan.at_once ?? 2;
  for (const item of job.items)
    if (
      item.state === 'PENDING' &&
      job.items.filter((one) => one.state === 'DOWNLOADING').length < at_once
    )
      item.state = 'DOWNLOADING';
  return job.items.every((item) => !['PENDING', 'DOWNLOADING'].includes(item.state));
}

function step(job, seconds) {
  if (!job.plan || job.paused || end_of(job) !== 'open') return;
  job.plan.age = (job.plan.age ?? 0) + seconds;
  if (job.lifecycle === 'batch') {
    if (job.state === 'PENDING' && job.plan.age > (job.plan.wait ?? 0.5))
      move(job, 'claim', 'RUNNING');
    else if (job.state === 'RUNNING' && step_items(job, seconds)) {
      if (job.plan.again)
        for (const item of job.items) Object.assign(item, { state: 'PENDING', have: 0 });
      else move(job, 'done', 'COMPLETED');
    }
  } else if (progress(job) && step_items(job, seconds)) {
    for (const item of job.items) Object.assign(item, { state: 'PENDING', have: 0 });
  }
}

let last = Date.now();
export function tick() {
  const seconds = Math.min(1, (Date.now() - last) / 1000);
  last = Date.now();
  for (const job of jobs.values()) {
    step(job, seconds);
    const now = progress(job);
    if (now)
      tell('progress', {
        job: job.id,
        ...now,
        items: items_of(job)
          .filter((item) => item.state === 'DOWNLOADING')
          .map(item_progress),
      });
  }
}
