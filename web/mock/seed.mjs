// Fills the mock's world. Ids start at 1000.
import { seed_films } from './films.mjs';
import { hostile } from './hostile.mjs';
import { seed_images } from './images.mjs';
import { add, enter_book, jobs, log, move, put_asset, set_items } from './world.mjs';

const MIN = 60_000;
const now = Date.now();
const MB = 1024 * 1024;

function batch(url, state, minutes, more = {}) {
  const at = now - minutes * MIN;
  const job = add(
    'batch',
    { url, engine: 'auto', ...more.request },
    { at, engine: 'http', plan: more.plan, paused: more.paused },
  );
  set_items(job, more.items ?? [{ key: url.split('/').pop(), url, size: 48 * MB }]);
  if (state === 'PENDING') return job;
  if (state === 'CANCELLED' && more.early)
    return (move(job, 'cancel', 'CANCELLED', { at: at + MIN, by: 'user' }), job);
  move(job, 'claim', 'RUNNING', { at: at + 2_000 });
  for (let loss = 0; loss < (more.losses ?? 0); ++loss) {
    job.attempt += 1;
    move(job, 'lost', 'PENDING', {
      at: at + 20_000 + loss * 30_000,
      by: 'system',
      reason: 'worker_lost',
    });
    move(job, 'claim', 'RUNNING', { at: at + 30_000 + loss * 30_000 });
  }
  if (state === 'RUNNING') return job;
  const done = at + 90_000;
  for (const item of job.items) {
    if (item.state !== 'PENDING') continue;
    item.state = { COMPLETED: 'COMPLETED', FAILED: 'FAILED', CANCELLED: 'CANCELLED' }[state];
    if (item.state === 'COMPLETED') [item.have, item.path] = [item.size, `downloads/${item.key}`];
  }
  move(job, { COMPLETED: 'done', FAILED: 'fail', CANCELLED: 'cancel' }[state], state, {
    at: done,
    by: state === 'CANCELLED' ? 'user' : 'worker',
    reason: more.reason,
    detail: more.detail,
  });
  return job;
}

function way(lifecycle, request, steps, minutes, more = {}) {
  const at = now - minutes * MIN;
  const job = add(lifecycle, request, {
    at,
    engine: more.engine,
    plan: more.plan,
    owner: more.owner,
  });
  steps.forEach(([on, to, extra], index) =>
    move(job, on, to, { at: at + (index + 1) * 20_000, ...extra }),
  );
  if (more.plan)
    set_items(job, [
      {
        key: request.release_name ?? request.title ?? 'file',
        size: more.size ?? 4 * 1024 * MB,
        state: 'DOWNLOADING',
        have: (more.size ?? 4096 * MB) * 0.37,
      },
    ]);
  return Object.assign(job, more.set ?? {});
}

function old_jobs() {
  for (let index = 0; index < 26; ++index) {
    const good = index % 5 !== 3;
    batch(
      `https://files.example.org/archive/2026/part-${String(index + 1).padStart(3, '0')}.tar.zst`,
      good ? 'COMPLETED' : 'FAILED',
      4000 - index * 90,
      good ? {} : { reason: 'http_404', detail: 'The server answered 404 Not Found.' },
    );
  }
  hostile.forEach((name, index) =>
    batch(`https://hostile.example/f/${index}`, 'COMPLETED', 600 - index, {
      request: { name },
      items: [{ key: name, url: `https://hostile.example/f/${index}`, size: 3 * MB }],
    }),
  );
  batch('javascript:alert(document.domain)', 'FAILED', 580, {
    reason: 'bad_address',
    detail: 'Only http and https are fetched. \u202Eneddih',
  });
  batch('https://slow.example/iso/debian-13.2-netinst.iso', 'CANCELLED', 300);
  batch('https://slow.example/iso/debian-12.9-dvd.iso', 'CANCELLED', 290, { early: true });
}

// A job with more events than the page reads at once.
function chatty() {
  const at = now - 5000 * MIN;
  const job = add('batch', { url: 'https://chatty.example/log' }, { at });
  set_items(job, [{ key: 'log', size: MB, have: MB, state: 'COMPLETED', path: 'downloads/log' }]);
  move(job, 'claim', 'RUNNING', { at: at + 1000 });
  for (let n = 1; n <= 620; ++n) log(job, `Line ${n}.`, at + 1000 + n * 100);
  move(job, 'done', 'COMPLETED', { at: at + 90_000 });
}

function other_lifecycles() {
  const uri = 'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=x';
  const started = ['started', 'downloading'];
  way(
    'book',
    {
      book_id: 'b-17',
      title: 'The Left Hand of Darkness',
      media_type: 'text',
      uri,
      source: 'gutenberg',
    },
    [],
    4,
    { engine: 'qbittorrent' },
  );
  way(
    'book',
    {
      book_id: 'b-18',
      title: 'A Wizard of Earthsea',
      media_type: 'audio',
      uri,
      source: 'librivox',
    },
    [started],
    9,
    { engine: 'qbittorrent', plan: { speed: 1.4 * MB }, size: 380 * MB },
  );
  way(
    'book',
    { book_id: 'b-19', title: 'Roadside Picnic', media_type: 'text', uri, source: 'gutenberg' },
    [started, ['landed', 'completed']],
    340,
    { engine: 'qbittorrent' },
  );
  way(
    'book',
    { book_id: 'b-20', title: 'Solaris', media_type: 'text', uri, source: 'gutenberg' },
    [
      started,
      [
        'fail',
        'failed',
        { reason: 'missing_external_job', detail: 'The client did not know it for 60 s.' },
      ],
    ],
    350,
    { engine: 'qbittorrent' },
  );
  way(
    'book',
    { book_id: 'b-21', title: 'Ubik', media_type: 'text', uri, source: 'gutenberg' },
    [['cancel', 'canceled', { by: 'user' }]],
    360,
    { engine: 'qbittorrent' },
  );
  seed_books(uri);
  const media = (title, year, more = {}) => ({
    kind: 'movie',
    title,
    year,
    engine: 'qbittorrent',
    uri,
    release_name: `${title.replaceAll(' ', '.')}.${year}.1080p.BluRay.x264-GRP`,
    ...more,
  });
  way('media', media('Stalker', 1979), [], 90, { engine: 'qbittorrent' });
  way('media', media('Metropolis', 1927), [started], 12, {
    engine: 'qbittorrent',
    plan: { speed: 9 * MB },
  });
  way('media', media('Nosferatu', 1922), [started, ['fetched', 'completed']], 14, {
    engine: 'qbittorrent',
    set: { worker: 1 },
  });
  seed_films(way, uri);
  way(
    'media',
    { ...media('Dark Matters', 2024), kind: 'series', season: 1, episode: 4 },
    [
      started,
      [
        'fail',
        'failed',
        { reason: 'no_space', detail: 'The library has 3 GiB left; 11 GiB are needed.' },
      ],
      ['retry', 'queued', { by: 'user' }],
      started,
      ['fail', 'failed', { reason: 'engine_error', detail: 'The client reported missing files.' }],
    ],
    390,
    { engine: 'qbittorrent', set: { attempt: 1, retries: 1 } },
  );
  const relay = (file, nonce) => ({
    user_id: 77,
    chat_id: -100123,
    file_id: `disk:/Films/${file}`,
    nonce,
  });
  const claim = ['claim', 'CLAIMED'],
    start = ['start', 'DOWNLOADING'],
    stream = ['stream', 'STREAMING'];
  way('relay', relay('lecture-01.mp4', 'a'), [], 1);
  way('relay', relay('lecture-02.mp4', 'b'), [claim], 2);
  way('relay', relay('lecture-03.mp4', 'c'), [claim, start], 3, {
    plan: { speed: 3 * MB },
    size: 900 * MB,
  });
  way(
    'relay',
    relay('lecture-04.mp4', 'd'),
    [claim, start, ['requeue', 'QUEUED', { reason: 'http_503' }], claim, start, stream],
    5,
    { plan: { speed: 2 * MB }, size: 700 * MB, set: { attempt: 1 } },
  );
  way(
    'relay',
    relay('lecture-05.mp4', 'e'),
    [claim, start, stream, ['ack', 'DELIVERED', { data: { message_id: 4411 } }]],
    420,
  );
  way(
    'relay',
    relay('lecture-06.mp4', 'f'),
    [
      claim,
      start,
      ['fail', 'FAILED', { reason: 'too_large', detail: 'The Bot API takes at most 2 GiB.' }],
    ],
    430,
  );
  way('relay', relay('lecture-07.mp4', 'g'), [['cancel', 'CANCELLED', { by: 'user' }]], 440);
  way(
    'relay',
    relay('lecture-08.mp4', 'h'),
    [['expire', 'EXPIRED', { by: 'timer', reason: 'ttl' }]],
    450,
  );
  const run = ['claim', 'running'];
  way(
    'image',
    { prompt: 'A quiet harbour at dawn, ink and wash', params: { size: '1024x1024', seed: 7 } },
    [],
    1,
    { owner: 2 },
  );
  way('image', { prompt: 'Isometric map of a small island town' }, [run], 1, { owner: 2 });
  way(
    'image',
    { prompt: 'Paper boats on a canal, watercolour' },
    [run, ['landed', 'completed', { data: { result_url: 'https://images.example/9' } }]],
    470,
    { owner: 2 },
  );
  way(
    'image',
    { prompt: 'A lighthouse in fog, long exposure' },
    [run, ['fail', 'failed', { reason: 'provider_503' }]],
    3,
    { owner: 2, set: { attempt: 1, reason: 'provider_503' } },
  );
  way(
    'image',
    { prompt: 'Something the filter does not like' },
    [run, ['reject', 'rejected', { reason: 'safety_filter' }]],
    480,
    { owner: 2 },
  );
  way(
    'image',
    { prompt: 'Cut-away drawing of a steam crane' },
    [
      run,
      ['fail', 'failed', { reason: 'provider_500' }],
      ['requeue', 'queued', { by: 'timer' }],
      run,
      ['fail', 'failed', { reason: 'provider_500' }],
      [
        'give_up',
        'dead_letter',
        { by: 'system', reason: 'attempts_spent', detail: 'Three tries failed.' },
      ],
    ],
    490,
    { owner: 2, set: { attempt: 3 } },
  );
}

function moving() {
  const talks = batch('https://media.example/talks/', 'RUNNING', 26, {
    losses: 1,
    request: { folder: 'talks' },
    plan: { speed: 2.2 * MB, at_once: 3, fails: [5], again: true },
    items: Array.from({ length: 140 }, (_, index) => ({
      key: `talk-${String(index + 1).padStart(3, '0')}-${['opening', 'storage', 'queues', 'closing'][index % 4]}.webm`,
      url: `https://media.example/talks/${index + 1}.webm`,
      size: (20 + ((index * 37) % 160)) * MB,
      ...(index < 41
        ? {
            state: index === 4 ? 'FAILED' : index % 13 === 6 ? 'SKIPPED' : 'COMPLETED',
            have: index === 4 ? 0 : (20 + ((index * 37) % 160)) * MB,
            ...(index === 4
              ? { reason: 'http_404', detail: 'The server answered 404 Not Found.' }
              : { path: `talks/talk-${index + 1}.webm` }),
          }
        : {}),
    })),
  });
  batch('https://mirror.example/ubuntu-26.04-desktop-amd64.iso', 'RUNNING', 7, {
    request: { folder: 'iso', headers: ['Accept: */*'] },
    plan: { speed: 18 * MB, again: true },
    items: [
      {
        key: 'ubuntu-26.04-desktop-amd64.iso',
        url: 'https://mirror.example/ubuntu-26.04-desktop-amd64.iso',
        size: 5900 * MB,
        have: 2100 * MB,
      },
    ],
  });
  batch('https://stream.example/live/unknown-length', 'RUNNING', 3, {
    plan: { speed: MB },
    items: [{ key: 'unknown-length', size: null, have: 77 * MB, state: 'DOWNLOADING', speed: MB }],
  });
  const waiting = batch('https://media.example/interviews/', 'RUNNING', 4, {
    plan: { speed: 0, at_once: 0 },
    items: [{ key: 'interview.webm', size: 300 * MB, have: 120 * MB }],
  });
  Object.assign(waiting, { waits_for: 'media.example', holders: [talks.id] });
  batch('https://busy.example/report.pdf', 'RUNNING', 5, {
    plan: { speed: 0, at_once: 0 },
    items: [
      {
        key: 'report.pdf',
        url: 'https://busy.example/report.pdf',
        size: 9 * MB,
        state: 'DOWNLOADING',
        retry: { in: 20, reason: 'http_503' },
      },
    ],
  });
  batch('https://films.example/metropolis.mkv', 'COMPLETED', 9, {
    request: { category: 'films', folder: 'films/new' },
    items: [
      {
        key: 'metropolis.mkv',
        url: 'https://films.example/metropolis.mkv',
        size: 700 * MB,
        evidence: { kind: 'already_here', was: 'etag' },
      },
    ],
  });
  with_receipt();
  batch('https://gallery.example/albums/spring', 'PENDING', 2);
  batch('https://gallery.example/albums/autumn', 'PENDING', 2, { paused: true });
  const mixed = batch('https://gallery.example/albums/summer', 'COMPLETED', 33, {
    items: ['a.jpg', 'b.jpg', 'c.jpg', 'd.gif'].map((key, n) => ({
      key,
      url: `https://gallery.example/${key}`,
      size: MB * (n + 1),
      ...(n === 2
        ? { state: 'FAILED', reason: 'http_410', detail: 'Gone.' }
        : n === 3
          ? { state: 'SKIPPED', reason: 'filtered_out' }
          : {}),
    })),
  });
  log(mixed, 'Page 1 of 1 read: 4 items.', Date.parse(mixed.ended_at) + 1000);
}

// A receipt with every member, some of them hostile.
function with_receipt() {
  const at = now - 400 * MIN;
  batch('https://proof.example/disc.img', 'COMPLETED', 402, {
    items: [
      {
        key: 'disc.img',
        url: 'https://proof.example/disc.img',
        size: 48 * MB,
        evidence: {
          kind: 'already_here',
          was: 'hash',
          size: 48 * MB,
          landed_at: new Date(at).toISOString(),
          sha256: '0123456789abcdef'.repeat(4),
          sha512: 'fedcba9876543210'.repeat(8),
          sha1: '01234567'.repeat(5),
          md5: '89abcdef'.repeat(4),
          pieces: 'sha1',
          etag: '"<img src=x onerror=window.hacked=3>\u202E"',
          last_modified: 'Mon, 01 Jan 2024 00:00:00 GMT',
          mtime: '2024-01-01T00:00:00.000000001Z',
          url: 'https://cdn.example/disc.img',
          sources: 'https://proof.example/disc.img javascript:window.hacked=4',
          former_url: 'javascript:alert(document.domain)',
          started_over: 'the new link has other bytes',
          ranges: [
            [0, 24 * MB],
            [24 * MB, 48 * MB],
          ],
          segments: 2,
          engine: 'yt-dlp',
          name: 'disc.img',
          beside: '/srv/downloads/disc.old.img',
          decoded: true,
          unchecked: true,
          compared: true,
        },
      },
    ],
  });
}

export function seed() {
  chatty();
  seed_images();
  old_jobs();
  other_lifecycles();
  moving();
  return jobs.size;
}

// More books: with both kinds of file, with a missing file, with a long history.
function seed_books(uri) {
  const gone = {
    status: 'missing',
    path: null,
    size: null,
    removed_at: new Date(now - 95 * MIN).toISOString(),
  };
  const at = (minutes) => new Date(now - minutes * MIN).toISOString();
  const done = [...jobs.values()].find((job) => job.request.book_id === 'b-19');
  put_asset('b-19', 'text', {
    title: 'Roadside Picnic',
    asset: { job: done.id, created_at: at(330), path: '/srv/books/Roadside Picnic/picnic.epub' },
  });
  put_asset('b-18', 'text', {
    title: 'A Wizard of Earthsea',
    asset: { size: 940_000, created_at: at(90_000), path: '/srv/books/earthsea.epub' },
  });
  put_asset('978-0-441-17271-9', 'text', {
    title: 'Dune',
    asset: { size: 2_400_000, created_at: at(50_000), path: '/srv/books/Dune/dune.epub' },
  });
  put_asset('978-0-441-17271-9', 'audio', {
    asset: { size: 612 * MB, created_at: at(40_000), path: '/srv/books/Dune/audio' },
  });
  put_asset('emma', 'text', { title: 'Emma', asset: gone });
  put_asset('emma', 'audio', { asset: { ...gone, status: 'deleted', removed_at: at(30_000) } });
  put_asset('maps', 'map', { title: 'An Atlas of Imaginary Places', asset: { size: 88 * MB } });
  enter_book('wanted', 'The Glass Bead Game');
  for (const name of hostile) enter_book(`hostile-${hostile.indexOf(name)}`, name);
  const started = ['started', 'downloading'];
  for (let n = 0; n < 24; ++n)
    way(
      'book',
      { book_id: 'emma', title: 'Emma', media_type: n % 2 ? 'audio' : 'text', uri, source: 's' },
      n % 3
        ? [started, ['fail', 'failed', { reason: 'engine_error', detail: 'It has no seeds.' }]]
        : [started, ['landed', 'completed']],
      60_000 - n * 600,
      { engine: 'qbittorrent' },
    );
}
