// The films and series of the mock, what it would import by hand, and its trash.
import { hostile } from './hostile.mjs';
import { jobs, move, note } from './world.mjs';

const MIN = 60_000;
const DAY = 24 * 60 * MIN;
const GB = 1024 ** 3;
const LIBRARY = '/srv/media';
const DOWNLOADS = '/srv/torrents';

const sources = new Map(); // Files of a download by job: [{ path, size }]
let trash = [];

const evidence = (files) => ({
  kind: 'import',
  files: files.map(({ path, size, source, how = 'hardlink' }) => ({
    path,
    size,
    source,
    how,
    sha256: how === 'copy' ? 'c0ffee'.repeat(10) : '',
  })),
});

const receipt = (files, proof, ends = {}) => ({
  files: files.map(({ path, size }) => ({ path, size })),
  ...(proof ? { proof } : {}),
  sources: files.map(({ source }) => ({
    path: `${DOWNLOADS}/${source}`,
    outcome: 'deleted',
    ...ends[source],
  })),
});

const film = (title, year, more = {}) => ({
  path: `${LIBRARY}/movies/${title} (${year})/${title} (${year}).mkv`,
  size: 8 * GB,
  source: `${title}.${year}/${title}.${year}.mkv`,
  ...more,
});

const episodes = (show, count, more = {}) =>
  Array.from({ length: count }, (_, index) => {
    const number = `S02E${String(index + 1).padStart(2, '0')}`;
    return {
      path: `${LIBRARY}/series/${show}/Season 02/${show} - ${number}.mkv`,
      size: GB + index,
      source: `${show}.S02/${show}.${number}.mkv`,
      ...more,
    };
  });

// `way` makes a job and moves it (seed.mjs).
export function seed_films(way, uri) {
  const request = (title, year, more = {}) => ({
    kind: 'movie',
    title,
    year,
    engine: 'qbittorrent',
    uri,
    release_name: `${title.replaceAll(' ', '.')}.${year}.1080p.BluRay.x264-GRP`,
    ...more,
  });
  const add = (wanted, steps, minutes, more = {}) =>
    way('media', wanted, steps, minutes, { engine: 'qbittorrent', ...more });
  const fetched = [
    ['started', 'downloading'],
    ['fetched', 'completed'],
  ];
  const landed = (files) => [...fetched, ['landed', 'imported', { data: evidence(files) }]];
  const cleaned = (files, proof, ends) => [
    ...landed(files),
    ['verified', 'cleaned', { data: receipt(files, proof, ends), reason: 'deleted' }],
  ];
  const general = [film('The General', 1926, { how: 'copy' })];
  const sherlock = [film('Sherlock Jr', 1924)];
  const noir = episodes('Harbour Lights', 3, { how: 'reflink' });
  const hidden = [film('Faust', 1926, { path: `${LIBRARY}/movies/${hostile[0]}` })];

  add(request('The General', 1926), landed(general), 16 * 60, {
    set: { reason: 'not_indexed', detail: 'The media server does not list this file yet.' },
  });
  add(request('Sherlock Jr', 1924), cleaned(sherlock, { by: 'plex', match: 'path' }), 380);
  const nfo = { path: `${DOWNLOADS}/Harbour Lights.S02/info.nfo`, outcome: 'trashed' };
  const season = cleaned(noir, { by: 'jellyfin', match: 'path' });
  season.at(-1)[2].data.sources.push(nfo);
  add(request('Harbour Lights', 2021, { kind: 'series', season: 2 }), season, 500);
  add(
    request('Sunrise', 1927),
    cleaned([film('Sunrise', 1927, { how: 'copy' })], { by: 'hash', match: '' }),
    510,
  );
  add(
    request('The Crowd', 1928),
    cleaned([film('The Crowd', 1928)], { by: 'plex', match: 'title' }),
    520,
  );
  add(
    request('Faust', 1926),
    cleaned(
      hidden,
      { by: 'plex', match: 'path' },
      { [hidden[0].source]: { outcome: 'kept_unsafe', detail: 'it has changed' } },
    ),
    530,
  );
  add(
    request('Safety Last', 1923),
    [...landed([film('Safety Last', 1923)]), ['unneeded', 'cleaned', { reason: 'disabled' }]],
    540,
  );
  const waits = {
    reason: 'cannot_parse',
    detail: '"Tidal 1.mkv": the name does not say which episode this is',
  };
  const tidal = add(
    request('Tidal', 2019, { kind: 'series', release_name: 'Tidal.Complete' }),
    fetched,
    20,
    { set: waits },
  );
  sources.set(tidal.id, [
    { path: 'Tidal/Tidal 1.mkv', size: GB },
    { path: 'Tidal/Tidal 2.mkv', size: GB + 1 },
    { path: 'Tidal/sample.mkv', size: 20_000_000 },
  ]);
  const other = add(
    request('Ebb', 2020, { kind: 'series', release_name: 'Ebb.Complete' }),
    fetched,
    21,
    { set: waits },
  );
  sources.set(other.id, [{ path: `Ebb/${hostile[1]}.mkv`, size: GB }]);
  seed_trash();
}

function seed_trash() {
  const job = (title) => [...jobs.values()].find((one) => one.request.title === title).id;
  const entry = (of, path, size, days) => ({
    job: job(of),
    path,
    size,
    trashed_at: new Date(Date.now() - days * DAY).toISOString(),
    leaves_at: new Date(Date.now() + (30 - days) * DAY).toISOString(),
  });
  trash = [
    entry('Sherlock Jr', 'Sherlock Jr.1924/Sherlock Jr.1924.mkv', 8 * GB, 1),
    entry('Sherlock Jr', 'Sherlock Jr.1924/taken.mkv', GB, 1),
    ...[1, 2, 3].map((n) =>
      entry('Harbour Lights', `Harbour Lights.S02/Harbour Lights.S02E0${n}.mkv`, GB + n, 12),
    ),
    entry('Faust', `Faust.1926/${hostile[1]}`, 3 * GB, 20),
  ].sort((a, b) => b.job - a.job || (a.path < b.path ? -1 : 1));
}

const EPISODE = /^S(\d{2})(E(\d{2}))?$/i;
const IN_NAME = /S\d{2}E\d{2}/i;

const refused = (files, code, detail) => ({
  files: files.map(({ path, size }) => ({
    source: path,
    target: null,
    how: null,
    size,
    reason: null,
  })),
  problem: { code, detail, fix: 'haul import JOB --as S01E02' },
});

// What an import would do, by what the user said.
export function plan_of(job, body) {
  const files = sources.get(job.id) ?? [];
  const said = Object.entries(body.files ?? {});
  const unknown = [body.as, ...said.map(([, as]) => as)].find(
    (as) => as && as !== 'skip' && as !== 'movie' && !EPISODE.test(as),
  );
  if (unknown)
    return refused(files, 'cannot_parse', `"${unknown}" is not an episode such as S01E02`);
  const row = (file, target, reason) => ({
    source: file.path,
    target: target || null,
    how: target ? 'reflink, hardlink or copy' : 'skip',
    size: file.size,
    reason: reason || null,
  });
  const planned = [];
  for (const file of files) {
    const as = body.files?.[file.path] ?? IN_NAME.exec(file.path)?.[0] ?? body.as ?? '';
    if (/sample/.test(file.path)) planned.push(row(file, '', 'sample'));
    else if (as === 'skip') planned.push(row(file, '', 'left_out'));
    else if (EPISODE.test(as) && as.length > 3)
      planned.push(row(file, `${job.request.title}/${as.toUpperCase()}.mkv`, ''));
    else {
      const name = file.path.split('/').pop();
      return refused(
        files,
        'cannot_parse',
        `"${name}": the name does not say which episode this is`,
      );
    }
  }
  return { files: planned, problem: null };
}

const IMPORT_MS = 1_500;

// Stores what the user said. A worker imports it a moment later.
export function import_job(job, body) {
  const said = body.files ?? {};
  note(job, 'IMPORT_ASKED', { data: { as: body.as ?? null, files: Object.keys(said).length } });
  const files = plan_of(job, body).files.filter((file) => file.target);
  const data = evidence(
    files.map((file) => ({
      path: `${LIBRARY}/series/${file.target}`,
      size: file.size,
      source: file.source,
    })),
  );
  setTimeout(() => move(job, 'landed', 'imported', { data }), IMPORT_MS).unref();
}

export function trash_page(query) {
  const limit = Math.min(100, Number(query.get('limit') ?? 20));
  const from = Number(query.get('cursor') ?? 0);
  const next = from + limit < trash.length ? String(from + limit) : null;
  return { entries: trash.slice(from, from + limit), next, problems: [] };
}

const is_of = (entry, body) => body.job === undefined || String(entry.job) === String(body.job);

// A file whose place is taken stays.
export function restore(body) {
  const asked = trash.filter(
    (entry) => is_of(entry, body) && (body.path === undefined || entry.path === body.path),
  );
  if (!asked.length) return null;
  const back = asked.filter((entry) => !/taken/.test(entry.path));
  const kept = asked.filter((entry) => /taken/.test(entry.path));
  trash = trash.filter((entry) => !back.includes(entry));
  return {
    restored: back.map((entry) => entry.path),
    kept: kept.map((entry) => `${entry.path}: another file is in its place`),
  };
}

export function empty(body) {
  const days = Number(/^(\d+)d$/.exec(body.older_than ?? '0d')?.[1] ?? 0);
  const old = (entry) => Date.now() - Date.parse(entry.trashed_at) >= days * DAY;
  const gone = trash.filter((entry) => is_of(entry, body) && old(entry));
  trash = trash.filter((entry) => !gone.includes(entry));
  const bytes = gone.reduce((sum, entry) => sum + entry.size, 0);
  return { files: gone.length, bytes, kept: [], more: false };
}
