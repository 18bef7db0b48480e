// A mock of the daemon's API for the page: plain node, loopback only, stores nothing.
// HAUL_MOCK_PORT sets the port and HAUL_DIST the page's folder; USERS lists who may log in.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as films from './films.mjs';
import * as images from './images.mjs';
import { act_on_matching, list_jobs, page } from './lists.mjs';
import * as world from './world.mjs';
import { seed } from './seed.mjs';

const PORT = Number(process.env.HAUL_MOCK_PORT ?? 4286);
const DIST = process.env.HAUL_DIST
  ? join(process.env.HAUL_DIST, '/')
  : fileURLToPath(new URL('../dist/', import.meta.url));
const CSP =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const PAGES = /^\/(jobs(\/\d+)?|library(\/[^/]+)?|films|trash|images|relays|add|login)?\/?$/;

const USERS = [
  { id: 1, name: 'admin', role: 'admin', key: 'mock-key' },
  { id: 2, name: 'mira', role: 'operator', password: 'harbour' },
  { id: 3, name: 'olga', role: 'viewer', password: 'harbour' },
];
const SCOPES = { viewer: ['read'], operator: ['read', 'add', 'operate'] };
const sessions = new Map();
const known_keys = new Map(); // Idempotency-Key → answer
let bad_logins = [];

class Fail extends Error {
  constructor(status, code, detail, more = {}, headers = {}) {
    super(detail);
    Object.assign(this, {
      status,
      headers,
      body: { code, detail, correlation_id: Math.random().toString(16).slice(2, 10), ...more },
    });
  }
}

function send(res, status, body, headers = {}) {
  const text = body === null ? '' : JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  res.end(text);
}

async function body_of(req) {
  let text = '';
  for await (const chunk of req)
    if ((text += chunk).length > 4_000_000)
      throw new Fail(413, 'too_large', 'The body is too large.');
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    throw new Fail(400, 'bad_json', 'The body is not JSON.');
  }
}

function login(body) {
  const now = Date.now();
  bad_logins = bad_logins.filter((at) => now - at < 20_000);
  if (bad_logins.length >= 5)
    throw new Fail(
      429,
      'too_many_logins',
      'Too many wrong logins; wait a moment.',
      {},
      { 'Retry-After': '20' },
    );
  const user =
    USERS.find((one) => one.key && one.key === body?.key) ??
    USERS.find((one) => one.name === body?.name && one.password && one.password === body?.password);
  if (!user) {
    bad_logins.push(now);
    throw new Fail(401, 'bad_login', 'That key is not known.');
  }
  bad_logins = [];
  return { id: user.id, name: user.name, role: user.role };
}

function stats() {
  const rows = new Map();
  for (const job of world.jobs.values()) {
    if (job.hidden_at) continue;
    const key = `${job.lifecycle} ${job.state}`;
    const row = rows.get(key) ?? {
      lifecycle: job.lifecycle,
      state: job.state,
      end: world.end_of(job),
      count: 0,
    };
    row.count += 1;
    rows.set(key, row);
  }
  return {
    jobs: [...rows.values()],
    stuck: [...world.jobs.values()].filter(world.is_stuck).length,
    books: {
      archive: books().filter((book) => book.shelf === 'archive').length,
      library: books().filter((book) => book.shelf === 'library').length,
    },
    workers: world.workers().length,
    version: 'mock',
    restored_at: null,
    speed_limit: {
      bytes_per_second: 20 * 1024 * 1024,
      set_by: 'transfer.speed_schedule[0]',
      until: new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000).toISOString(),
    },
  };
}

function jobs_of(book) {
  return [...world.jobs.values()]
    .filter((job) => job.lifecycle === 'book' && job.request.book_id === book.id)
    .sort((a, b) => b.id - a.id);
}

// Books in shelf order. Makes the books that jobs were added for.
function books() {
  for (const job of world.jobs.values())
    if (job.lifecycle === 'book') world.enter_book(job.request.book_id, job.request.title);
  return [...world.books.values()]
    .map((book) => ({
      ...book,
      shelf: book.assets.some((one) => one.status === 'available') ? 'library' : 'archive',
    }))
    .sort((a, b) => a.title.localeCompare(b.title, 'en') || (a.id < b.id ? -1 : 1));
}

function shown_book(book) {
  const open = jobs_of(book).filter((job) => world.end_of(job) === 'open');
  return { ...book, open_jobs: open.map(world.shown) };
}

function list_books(query) {
  const q = (query.get('q') ?? '').toLowerCase();
  const rows = books().filter(
    (book) =>
      (!query.get('shelf') || book.shelf === query.get('shelf')) &&
      (!q || `${book.title}\n${book.id}`.toLowerCase().includes(q)),
  );
  return page(rows, query, shown_book);
}

function check(body) {
  const table = world.tables.get(body?.lifecycle);
  if (!table?.request.length)
    throw new Fail(422, 'unknown_lifecycle', 'There is no such lifecycle.', {
      fields: { lifecycle: 'is not known' },
    });
  const fields = {};
  for (const field of table.request) {
    const value = body.request?.[field.name];
    if (field.required && (value === undefined || value === '')) fields[field.name] = 'required';
    if (value !== undefined && field.values?.length && !field.values.includes(value))
      fields[field.name] = `must be one of ${field.values.join(', ')}`;
    if (value !== undefined && field.type === 'number' && typeof value !== 'number')
      fields[field.name] = 'must be a number';
  }
  for (const name of Object.keys(body.request ?? {}))
    if (!table.request.some((field) => field.name === name)) fields[name] = 'is not a field';
  if (body.lifecycle === 'batch' && !body.request?.url && !body.request?.urls?.length)
    fields.url = 'required';
  if (body.request?.url?.includes('refused.example'))
    fields.url = 'the address of refused.example is private';
  if (Object.keys(fields).length)
    throw new Fail(422, 'bad_request', 'The request is not complete.', { fields });
}

function add(body, user) {
  check(body);
  if (body.lifecycle === 'image') {
    const refused = images.refusal(user.id, body.request);
    if (refused) throw new Fail(...refused);
    const job = world.add('image', body.request, { owner: user.id });
    return (images.start(job), job);
  }
  const url = body.request.url ?? body.request.urls?.[0];
  const plan = body.lifecycle === 'batch' ? { speed: 4_000_000, wait: 0.6 } : null;
  const job = world.add(body.lifecycle, body.request, {
    plan,
    paused: body.paused,
    priority: body.priority,
    engine: body.lifecycle === 'batch' ? 'http' : null,
  });
  const size = Number(/[?&]size=(\d+)/.exec(url ?? '')?.[1] ?? 12_000_000);
  const rate = Number(/[?&]limit_rate=(\d+)/.exec(url ?? '')?.[1] ?? 0);
  if (plan) {
    if (rate) plan.speed = rate;
    world.set_items(
      job,
      (body.request.urls ?? [url]).map((one) => ({
        key: one.split('?')[0].split('/').pop() || 'index',
        url: one,
        size,
      })),
    );
  }
  return job;
}

function act(job, action, files = false) {
  if (!world.allowed(job).includes(action))
    throw new Fail(
      409,
      'not_allowed',
      `A ${job.lifecycle} job in ${job.state} allows no ${action}.`,
      { state: job.state, allowed: world.allowed(job) },
    );
  if (action === 'delete') {
    if (files && !world.has_own_files(job))
      throw new Fail(409, 'no_own_files', `${job.lifecycle} jobs have no files of their own.`, {
        state: job.state,
        allowed: world.allowed(job),
      });
    job.hidden_at = new Date().toISOString();
    if (files) world.delete_files(job);
    world.log(job, 'Deleted.');
    return [200, job];
  }
  if (action === 'pause' || action === 'resume') {
    job.paused = action === 'pause';
    if (job.paused && job.worker)
      world.move(job, 'release', world.tables.get(job.lifecycle).states[0].name, { by: 'system' });
    world.log(job, action === 'pause' ? 'Paused.' : 'Resumed.');
    return [200, job];
  }
  const move = world.user_move(job, action);
  if (action === 'retry') {
    if (!move && job.lifecycle === 'image') {
      const refused = images.refusal(job.owner, job.request);
      if (refused) throw new Fail(...refused);
      const replay = world.add('image', job.request, { retry_of: job.id, owner: job.owner });
      job.replayed = true;
      return (images.start(replay), [201, replay]);
    }
    if (!move)
      return [
        201,
        world.add(job.lifecycle, job.request, { retry_of: job.id, plan: { speed: 4_000_000 } }),
      ];
    job.retries += 1;
    job.attempt = 0;
    return (world.move(job, 'retry', move.to, { by: 'user' }), [200, job]);
  }
  const end = () => world.move(job, 'cancel', move.to, { by: 'user', reason: 'canceled' });
  if (world.with_client(job)) {
    job.cancel_asked = true;
    setTimeout(end, 1500).unref();
    return [202, job];
  }
  world.finish_items(job, 'CANCELLED');
  end();
  return [200, job];
}

function stream(req, res, query) {
  res.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': CSP,
  });
  const job = Number(query.get('job')) || null;
  const write = (kind, data) => {
    if (job && data.job !== job) return;
    res.write(
      `${data.id ? `id: ${data.id}\n` : ''}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`,
    );
  };
  const last = Number(req.headers['last-event-id'] ?? 0);
  if (last)
    for (const event of world.events)
      if (event.id > last) write(event.type === 'MOVED' ? 'moved' : 'note', event);
  res.write(': hello\n\n');
  const stop = world.listen(write);
  const beat = setInterval(() => res.write(': beat\n\n'), 10_000);
  streams.add(res);
  req.on('close', () => (stop(), clearInterval(beat), streams.delete(res)));
}
const streams = new Set();

const EMPTY = { 'Content-Length': '0' };

async function answer(req, res, path, query) {
  if (req.method !== 'GET' && req.headers['x-haul'] !== '1')
    throw new Fail(403, 'no_header', 'X-Haul is missing.');
  if (path === '/login') {
    const user = login(await body_of(req));
    const session = Math.random().toString(36).slice(2);
    sessions.set(session, user);
    return send(
      res,
      200,
      { user },
      { 'Set-Cookie': `haul_session=${session}; HttpOnly; SameSite=Strict; Path=/` },
    );
  }
  const session = /haul_session=([a-z0-9]+)/.exec(req.headers.cookie ?? '')?.[1];
  const user = sessions.get(session);
  if (!user) throw new Fail(401, 'not_logged_in', 'Log in first.');
  if (req.method !== 'GET' && user.role === 'viewer' && path !== '/logout')
    throw new Fail(403, 'not_allowed', 'You may only look.');
  if (path === '/logout') return (sessions.delete(session), send(res, 204, null, EMPTY));
  if (path === '/me')
    return send(res, 200, { ...user, scopes: SCOPES[user.role] ?? [...SCOPES.operator, 'admin'] });
  if (path === '/stats') return send(res, 200, stats());
  if (path === '/workers') {
    if (user.role === 'viewer') throw new Fail(403, 'not_allowed', 'You may not see the workers.');
    return send(res, 200, { items: world.workers(), next: null });
  }
  if (path === '/events') return stream(req, res, query);
  if (path === '/lifecycles') return send(res, 200, { items: world.lifecycles, next: null });
  if (path.startsWith('/lifecycles/')) {
    const table = world.tables.get(decodeURIComponent(path.slice(12)));
    if (!table) throw new Fail(404, 'not_found', 'There is no such lifecycle.');
    return send(res, 200, table);
  }
  if (path === '/mock/drop' && req.method === 'POST')
    return (streams.forEach((one) => one.destroy()), send(res, 204, null, EMPTY));
  if (path === '/mock/resync' && req.method === 'POST')
    return (
      streams.forEach((one) => one.write('event: resync\ndata: {}\n\n')),
      send(res, 204, null, EMPTY)
    );
  if (path === '/jobs' && req.method === 'GET') return send(res, 200, list_jobs(query));
  if (path === '/jobs' && req.method === 'POST') {
    const key = req.headers['idempotency-key'];
    const body = await body_of(req);
    if (key && known_keys.has(key)) return send(res, 200, world.shown(known_keys.get(key)));
    const job = add(body, user);
    if (key) known_keys.set(key, job);
    return send(res, 201, world.shown(job));
  }
  if (path === '/jobs/batch') {
    const answers = (await body_of(req)).map((one) => {
      try {
        return { status: 201, job: world.shown(add(one, user)) };
      } catch (error) {
        return { status: error.status ?? 500, error: error.body };
      }
    });
    return send(res, 200, answers);
  }
  if (path === '/jobs/actions' && req.method === 'POST')
    return send(res, 200, act_on_matching(await body_of(req), act));
  if (path === '/books' && req.method === 'GET') return send(res, 200, list_books(query));
  if (path === '/books') {
    const { id, title } = await body_of(req);
    for (const [name, value] of Object.entries({ id, title }))
      if (/\p{Cc}/u.test(value ?? '')) {
        const why = 'control characters are not allowed';
        throw new Fail(400, 'wrong_type', `${name}: ${why}`, { fields: { [name]: why } });
      }
    const known = world.books.has(id);
    world.enter_book(id, title);
    return send(res, known ? 200 : 201, shown_book(books().find((one) => one.id === id)));
  }
  const wanted = /^\/books\/([^/]+)(\/jobs)?$/.exec(path);
  if (wanted) {
    const book = books().find((one) => one.id === decodeURIComponent(wanted[1]));
    if (!book) throw new Fail(404, 'no_such_book', 'There is no such book.');
    const jobs = jobs_of(book);
    if (wanted[2]) return send(res, 200, page(jobs, query, world.shown));
    return send(res, 200, { ...shown_book(book), jobs: jobs.slice(0, 20).map(world.shown) });
  }
  const users = USERS.map(({ id, name, role }) => ({ id, name, role }));
  const read = images.read(path, query, user, users);
  if (read && req.method === 'GET')
    return Array.isArray(read) ? res.writeHead(200, read[0]).end(read[1]) : send(res, 200, read);
  if (read) return send(res, 200, images.grant(path, await body_of(req)));
  if (path === '/trash' && req.method === 'GET') return send(res, 200, films.trash_page(query));
  if (path === '/trash/restore') {
    const done = films.restore(await body_of(req));
    if (!done) throw new Fail(404, 'not_found', 'The trash has no such file.');
    return send(res, 200, done);
  }
  if (path === '/trash/empty') return send(res, 200, films.empty(await body_of(req)));
  const link = /^\/jobs\/(\d+)\/items\/(\d+)\/url$/.exec(path);
  if (link && req.method === 'POST') {
    const from = world.jobs.get(Number(link[1]));
    const item = from && world.items_of(from).find((one) => one.n === Number(link[2]));
    if (!item) throw new Fail(404, 'no_such_item', 'The job has no such item.');
    const { url } = await body_of(req);
    if (!/^https?:/.test(url)) {
      const why = 'expected http or https';
      throw new Fail(422, 'bad_url_scheme', `url: ${why}`, { fields: { url: why } });
    }
    const next = add({ lifecycle: from.lifecycle, request: { urls: [url] } }, user);
    next.retry_of = from.id;
    world.log(from, `Item ${item.n} has another link.`);
    return send(res, 201, world.shown(next));
  }
  const match = /^\/jobs\/(\d+)(?:\/([a-z]+))?$/.exec(path);
  const job = match && world.jobs.get(Number(match[1]));
  if (!job) throw new Fail(404, 'not_found', 'There is no such job.');
  if (req.method === 'POST' && match[2] === 'import') {
    const body = await body_of(req);
    if (body.dry_run) return send(res, 200, films.plan_of(job, body));
    return (films.import_job(job, body), send(res, 202, world.shown(job)));
  }
  if (req.method === 'POST' && match[2] === 'priority') {
    job.priority = (await body_of(req)).priority;
    world.log(job, `Priority ${job.priority}.`);
    return send(res, 200, world.shown(job));
  }
  if (req.method === 'DELETE' && job.hidden_at) return send(res, 200, world.shown(job));
  if (req.method === 'POST' || req.method === 'DELETE') {
    const files = query.get('files') === 'true';
    const [status, shown] = act(job, req.method === 'DELETE' ? 'delete' : match[2], files);
    return send(res, status, world.shown(shown));
  }
  const parts = {
    undefined: () => world.shown(job),
    items: () =>
      page(
        world
          .items_of(job)
          .filter((item) => !query.get('state') || item.state === query.get('state')),
        query,
        world.shown_item,
        (item) => item.n,
      ),
    events: () =>
      page(
        world.events.filter((event) => event.job === job.id),
        query,
      ),
    why: () => world.why(job),
    result: () => (job.lifecycle === 'image' ? images.result(job) : world.result(job)),
  };
  if (!parts[match[2]]) throw new Fail(404, 'not_found', 'There is no such page.');
  return send(res, 200, parts[match[2]]());
}

function file(res, path) {
  const inside = normalize(join(DIST, path));
  const found = inside.startsWith(DIST) && existsSync(inside) && statSync(inside).isFile();
  const name = found ? inside : PAGES.test(path) ? join(DIST, 'index.html') : null;
  const headers = {
    'Content-Security-Policy': CSP,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  };
  if (!name) return res.writeHead(404, headers).end();
  res.writeHead(200, {
    ...headers,
    'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
  });
  createReadStream(name).pipe(res);
}

export function start(port = PORT) {
  seed();
  const timer = setInterval(world.tick, 250);
  const server = createServer((req, res) => {
    const url = new URL(req.url, 'http://mock');
    if (url.pathname === '/health/ready') return send(res, 200, { status: 'ready' });
    if (!url.pathname.startsWith('/api/v1/')) return file(res, decodeURI(url.pathname));
    answer(req, res, url.pathname.slice(7), url.searchParams).catch((error) => {
      if (res.headersSent) return res.destroy();
      send(
        res,
        error.status ?? 500,
        error.body ?? { code: 'broken', detail: String(error.stack) },
        error.headers ?? {},
      );
    });
  });
  server.on('close', () => clearInterval(timer));
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await start();
  console.log(`http://127.0.0.1:${server.address().port}  key: mock-key`);
}
