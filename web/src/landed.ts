// What the events of a job say about its files: where each one is in the library, how it got there,
// what proved it, and what became of the download.
import type { Look } from './outcome';
import type { Job, JobEvent, Json } from './types';

type Fields = { [name: string]: Json };

export interface LandedFile {
  path: string;
  size: number;
  source: string; // Beneath the download root.
  how: string; // reflink, hardlink, copy or adopted
  source_end: SourceEnd | null;
}

// A file of the download.
export interface SourceEnd {
  path: string;
  outcome: string; // deleted, trashed, kept_unsafe or already_gone
  detail: string;
}

export interface Proof {
  by: string; // plex, jellyfin, or hash without a media server. Empty: the event does not say.
  match: string; // path or title, for a media server.
  files: { path: string; size: number }[];
}

export interface Landing {
  files: LandedFile[];
  proof: Proof | null;
  others: SourceEnd[]; // Files of the download that did not go into the library.
  unneeded: boolean; // The download stays by the configuration, so haul needs no proof.
}

function fields_of(value: Json | undefined): Fields | null {
  if (typeof value === 'string') {
    try {
      return fields_of(JSON.parse(value) as Json);
    } catch {
      return null;
    }
  }
  return value && typeof value === 'object' && !Array.isArray(value) ? value : null;
}

const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');
const number = (value: Json | undefined) => (typeof value === 'number' ? value : 0);

function rows_of(value: Json | undefined): Fields[] {
  if (!Array.isArray(value)) return [];
  return value.map(fields_of).filter((row): row is Fields => row !== null);
}

function landed_of(data: Fields): LandedFile[] {
  if (data['kind'] !== 'import') return [];
  return rows_of(data['files']).map((row) => ({
    path: text(row['path']),
    size: number(row['size']),
    source: text(row['source']),
    how: text(row['how']),
    source_end: null,
  }));
}

function proof_of(data: Fields): Proof | null {
  if (!Array.isArray(data['files']) || !Array.isArray(data['sources'])) return null;
  const said = fields_of(data['proof']);
  return {
    by: text(said?.['by']),
    match: text(said?.['match']),
    files: rows_of(data['files']).map((row) => ({
      path: text(row['path']),
      size: number(row['size']),
    })),
  };
}

const ends_of = (data: Fields): SourceEnd[] =>
  rows_of(data['sources']).map((row) => ({
    path: text(row['path']),
    outcome: text(row['outcome']),
    detail: text(row['detail']),
  }));

const is_source = (end: SourceEnd, file: LandedFile) =>
  file.source !== '' && (end.path === file.source || end.path.endsWith(`/${file.source}`));

// Null if nothing went into the library. After a retry the last landing counts, and only a proof
// that follows it.
export function landing_of(events: JobEvent[]): Landing | null {
  let landing: Landing | null = null;
  for (const event of events) {
    const data = fields_of(event.data);
    const files = data ? landed_of(data) : [];
    if (files.length) landing = { files, proof: null, others: [], unneeded: false };
    if (!landing || files.length) continue;
    if (event.on === 'unneeded') landing.unneeded = true;
    const proof = data ? proof_of(data) : null;
    if (!proof) continue;
    const ends = ends_of(data!);
    landing.proof = proof;
    landing.others = ends.filter((end) => !landing!.files.some((file) => is_source(end, file)));
    for (const file of landing.files)
      file.source_end = ends.find((end) => is_source(end, file)) ?? null;
  }
  return landing;
}

export interface Verdict {
  look: Look;
  words: string;
}

const SERVERS = new Map([
  ['plex', 'Plex'],
  ['jellyfin', 'Jellyfin'],
]);

// What proves that this file is in the library.
export function verdict_of(file: LandedFile, landing: Landing, job: Pick<Job, 'end'>): Verdict {
  const { proof } = landing;
  if (!proof && landing.unneeded)
    return {
      look: 'stopped',
      words: 'Not proven: haul keeps the download, so it asks for no proof',
    };
  if (!proof)
    return job.end === 'open'
      ? { look: 'open', words: 'Not proven yet' }
      : { look: 'bad', words: 'Not proven' };
  if (!proof.files.some((one) => one.path === file.path && one.size === file.size))
    return { look: 'bad', words: 'Not proven: the proof does not name this file' };
  if (proof.by === 'hash')
    return { look: 'good', words: 'Proven: haul read it again, and its bytes are the same' };
  if (!proof.by) return { look: 'good', words: 'Proven; the event does not say how' };
  const server = SERVERS.get(proof.by) ?? proof.by;
  return proof.match === 'title'
    ? { look: 'partly', words: `By title only: ${server} lists the title, perhaps another file` }
    : { look: 'good', words: `Proven: ${server} lists it with this path and size` };
}

const HOW = new Map([
  ['reflink', 'reflink'],
  ['hardlink', 'hard link'],
  ['copy', 'copy'],
  ['adopted', 'was already there'],
]);
export const how_words = (how: string) => HOW.get(how) ?? how;

const OUTCOMES = new Map([
  ['deleted', 'deleted'],
  ['trashed', 'moved to the trash'],
  ['kept_unsafe', 'kept'],
  ['already_gone', 'was gone already'],
]);
export const source_words = (end: SourceEnd) =>
  `${OUTCOMES.get(end.outcome) ?? end.outcome}${end.detail ? `: ${end.detail}` : ''}`;
