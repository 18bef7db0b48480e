// The types of the API. It adds fields and never renames them, so the page ignores unknown ones.

export type End = 'open' | 'good' | 'bad' | 'stopped';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Progress {
  have: number;
  size: number | null;
  speed: number | null;
  eta: number | null; // Seconds.
}

export interface Counts {
  total: number;
  completed: number;
  downloaded: number;
  skipped: number;
  failed: number;
  cancelled: number;
}

export interface Job {
  id: number;
  lifecycle: string;
  state: string;
  end: End;
  seq: number;
  owner: string | number | null;
  request: { [name: string]: Json };
  engine: string | null;
  handle: string | null;
  attempt: number;
  attempts_max: number | null;
  due_at: string | null;
  lease_until: string | null;
  worker: string | number | null;
  reason: string | null;
  detail: string | null;
  created_at: string;
  moved_at: string;
  started_at: string | null;
  ended_at: string | null;
  missing_since: string | null;
  paused: boolean;
  stuck: boolean;
  success: boolean | null;
  outcome: 'whole' | 'partly' | 'nothing' | null;
  retry_of: number | null;
  allowed: string[];
  counts: Counts | null;
  progress: Progress | null;
}

export interface ItemProgress extends Progress {
  status?: string | null;
}

export interface Item {
  n: number;
  key: string | null;
  url: string | null;
  state: string;
  attempt: number;
  have: number | null;
  size: number | null;
  path: string | null;
  reason: string | null;
  detail: string | null;
  updated_at: string | null;
  progress?: ItemProgress | null;
}

export interface JobEvent {
  id: number;
  job: number;
  seq: number;
  type: string; // MOVED, or the type of a note.
  at: string;
  from: string | null;
  to: string | null;
  on: string | null;
  by: string | null;
  worker: string | number | null;
  reason: string | null;
  data: Json;
}

export interface Why {
  job: number;
  lifecycle: string;
  state: string;
  since: string;
  seen_at: string | null;
  code: string;
  because: string;
  reason: string | null;
  detail: string | null;
  next: string | null;
  next_at: string | null;
  stuck: boolean;
  allowed: string[];
}

export interface State {
  name: string;
  end: End;
  step: string;
  leased: boolean;
  stuck_after_s: number | null;
  on_cancel?: string | null;
}

export interface Move {
  from: string | string[];
  on: string;
  by: string;
  to: string;
}

export interface Field {
  name: string;
  type: string;
  required: boolean;
  about?: string | null;
  values?: string[] | null;
  fields?: Field[] | null;
  secret?: boolean;
}

export interface Lifecycle {
  name: string;
  states: State[];
  moves: Move[];
  request?: Field[] | null;
}

export interface StatRow {
  lifecycle: string;
  state: string;
  end: End;
  count: number;
}

export interface Asset {
  id: number;
  book: string | null;
  media_type: string;
  status: string; // available, missing, deleted
  size: number | null;
  created_at: string;
  removed_at: string | null;
  // Null if the asset belongs to another user.
  job: number | null;
  path: string | null;
  checksum: string | null;
  source_url: string | null;
  source: string | null;
}

export interface Book {
  id: string;
  title: string;
  shelf: string; // archive, library
  assets: Asset[];
  open_jobs: Job[];
}

export interface Stats {
  jobs: StatRow[];
  stuck: number;
  books?: { archive: number; library: number } | null;
  workers: number | null;
  version: string | null;
  restored_at?: string | null; // Set after a restore, until an admin resumes.
}

export interface User {
  id: number | string;
  name: string;
  role: string;
  scopes?: string[];
}

export interface List<T> {
  items: T[];
  next: string | number | null;
}

export interface BatchAnswer {
  status: number;
  job?: Job | null;
  error?: Problem | null;
}

export interface Problem {
  code: string;
  detail?: string;
  fields?: { [name: string]: string };
  state?: string;
  allowed?: string[];
  correlation_id?: string;
}

export interface ProgressEvent extends Progress {
  job: number;
  items?: (ItemProgress & { n: number; name?: string | null })[];
}
