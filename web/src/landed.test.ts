import assert from 'node:assert/strict';
import { test } from 'node:test';
import { how_words, landing_of, source_words, verdict_of } from './landed';
import type { JobEvent, Json } from './types';

const event = (data: Json, on: string | null = null) => ({ data, on }) as JobEvent;

const landed = (...files: { path: string; source: string; size?: number; how?: string }[]) =>
  event(
    {
      kind: 'import',
      files: files.map((file) => ({ size: 10, how: 'hardlink', sha256: '', ...file })),
    },
    'landed',
  );

const verified = (proof: Json, paths: string[], sources: Json[] = []) =>
  event({ files: paths.map((path) => ({ path, size: 10 })), proof, sources }, 'verified');

const A = { path: '/lib/A.mkv', source: 'a/a.mkv' };
const B = { path: '/lib/B.mkv', source: 'a/b.mkv' };
const PLEX = { by: 'plex', match: 'path' };

function verdicts(events: JobEvent[], end: 'open' | 'good' | 'bad' = 'good'): string[] {
  const landing = landing_of(events)!;
  return landing.files.map((file) => {
    const { look, words } = verdict_of(file, landing, { end });
    return `${look}: ${words}`;
  });
}

test('a job without an import has no landing, whatever its events have', () => {
  const others: Json[] = [
    null,
    'text',
    7,
    [],
    {},
    { files: [] },
    { kind: 'import' },
    { kind: 'x' },
  ];
  assert.equal(landing_of([]), null);
  assert.equal(landing_of(others.map((data) => event(data))), null);
  assert.equal(landing_of([verified(PLEX, ['/lib/A.mkv'])]), null);
});

test('S1-4: a file says where it went and how it got there', () => {
  const landing = landing_of([landed({ ...A, how: 'reflink' })])!;

  assert.equal(landing.files[0]!.path, '/lib/A.mkv');
  assert.equal(how_words(landing.files[0]!.how), 'reflink');
  assert.deepEqual(['hardlink', 'copy', 'adopted', 'magic'].map(how_words), [
    'hard link',
    'copy',
    'was already there',
    'magic',
  ]);
});

test('A1-4: path and size, the bytes, and a title are told apart', () => {
  const by = (proof: Json) => verdicts([landed(A), verified(proof, ['/lib/A.mkv'])])[0];

  assert.equal(by(PLEX), 'good: Proven: Plex lists it with this path and size');
  assert.equal(
    by({ by: 'jellyfin', match: 'path' }),
    'good: Proven: Jellyfin lists it with this path and size',
  );
  assert.equal(
    by({ by: 'plex', match: 'title' }),
    'partly: By title only: Plex lists the title, perhaps another file',
  );
  assert.equal(by({ by: 'hash' }), 'good: Proven: haul read it again, and its bytes are the same');
  assert.equal(by(null), 'good: Proven; the event does not say how');
});

test('S1-10: each file needs its own proof', () => {
  assert.deepEqual(verdicts([landed(A, B)], 'open'), [
    'open: Not proven yet',
    'open: Not proven yet',
  ]);
  assert.deepEqual(verdicts([landed(A)], 'bad'), ['bad: Not proven']);
  assert.deepEqual(verdicts([landed(A, B), verified(PLEX, ['/lib/A.mkv'])]), [
    'good: Proven: Plex lists it with this path and size',
    'bad: Not proven: the proof does not name this file',
  ]);
  const other_size = landed({ ...A, size: 11 });
  assert.match(verdicts([other_size, verified(PLEX, ['/lib/A.mkv'])])[0]!, /^bad/);
});

test('A1-2: a download that stays by configuration needs no proof', () => {
  assert.deepEqual(verdicts([landed(A), event(null, 'unneeded')]), [
    'stopped: Not proven: haul keeps the download, so it asks for no proof',
  ]);
});

test('S1-17: after a retry only the last landing counts, and a proof that follows it', () => {
  const before = [landed(A), verified(PLEX, ['/lib/A.mkv'])];

  const landing = landing_of([...before, landed(B)])!;

  assert.deepEqual(
    landing.files.map((file) => file.path),
    ['/lib/B.mkv'],
  );
  assert.equal(landing.proof, null);
});

test('Z-4: the end of each source stands with its file, the others apart', () => {
  const source = (path: string, outcome: string, detail?: string) => ({
    path,
    outcome,
    ...(detail ? { detail } : {}),
  });
  const landing = landing_of([
    landed(A, B),
    verified(
      PLEX,
      [],
      [
        source('/in/a/a.mkv', 'trashed'),
        source('/in/a/b.mkv', 'kept_unsafe', 'it has changed'),
        source('/in/a/info.nfo', 'deleted'),
      ],
    ),
  ])!;

  assert.deepEqual(
    landing.files.map((file) => source_words(file.source_end!)),
    ['moved to the trash', 'kept: it has changed'],
  );
  assert.deepEqual(
    landing.others.map((end) => `${end.path}: ${source_words(end)}`),
    ['/in/a/info.nfo: deleted'],
  );
});

test('data that is JSON text is read too, and rows that are no objects are left out', () => {
  const data = JSON.stringify({ kind: 'import', files: [7, null, 'x', { path: '/lib/A.mkv' }] });
  const landing = landing_of([event(data)])!;

  assert.equal(landing.files.length, 1);
  assert.deepEqual([landing.files[0]!.size, landing.files[0]!.how], [0, '']);
});
