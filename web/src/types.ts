// The types of the API. It adds fields and never renames them, so the page ignores unknown ones.

export type End = 'open' | 'good' | 'bad' | 'stopped';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Progress {
  have: number;
  size: number | null;
  speed: number; // Bytes per second.
  eta: number | null; // Seconds.
  size_least?: number | null; // If the size is unknown: it is at least this.
  eta_least?: number | null; // If the time left is unknown: it is at least this.
  resting?: boolean; // The last numbers of a job that does not run now.
  waits_for?: string | null; // The host that the whole job waits for.
  retry_in?: number | null; // Seconds. All that is left waits for another try.
  retry_reason?: string | null; // Why the last try failed.
}

// All zero if the job has no items.
export interface Counts {
  total: number;
  completed: number; // Downloaded and skipped.
  downloaded: number;
  skipped: number;
  failed: number;
  cancelled: number;
  bytes?: number; // Of the downloaded items together.
  enumerated?: boolean; // The total is final.
  percentage: number;
}

export interface Job {
  id: number;
  lifecycle: string;
  state: string;
  end: End;
  seq: number;
  owner: number;
  request: { [name: string]: Json };
  category?: string | null;
  engine: string | null;
  handle: string | null;
  attempt: number; // Failures and lost workers since the last retry.
  attempts_max: number; // 0: no limit.
  retries: number; // By users.
  attempts: number; // attempt + retries.
  due_at: string | null;
  begins_at?: string | null; // Its user asked for a later begin, and it has not begun.
  lease_until: string | null;
  worker: number | null;
  reason: string | null;
  detail: string | null;
  created_at: string;
  moved_at: string;
  started_at: string | null;
  ended_at: string | null;
  missing_since: string | null;
  paused: boolean;
  priority: number; // -1 low, 0 normal, 1 high.
  stuck: boolean;
  success: boolean;
  outcome: 'whole' | 'partly' | 'nothing' | null;
  retry_of: number | null;
  hidden_at: string | null; // Deleted: lists and counts leave it out.
  deleted_files?: DeletedFiles | null; // Null unless it was deleted with its files.
  allowed: string[];
  counts: Counts;
  progress: Progress | null;
}

// What became of the files of a deleted job.
export interface DeletedFiles {
  removed: number;
  bytes: number; // Of the removed files.
  gone: number; // They were not there any more.
  kept: number;
  reasons: string[]; // Why files were kept, of the first ones.
  waits_for: string | null;
  asked_at: string;
  ended_at: string | null; // Null until all were looked at.
}

// The outcome of one job of a bulk action.
export interface JobOutcome {
  id: number;
  state: string;
  outcome: 'done' | 'accepted' | 'refused' | 'would';
  job?: number; // The new job that retries it.
  code?: string;
  detail?: string;
}

export interface JobActed extends List<JobOutcome> {
  matched: number;
  acted: number;
  files?: number; // Of these jobs, if they are deleted with their files.
  bytes?: number;
}

export interface ItemProgress extends Progress {
  n: number;
  name: string;
  status: string;
  reason?: string | null; // Why its last try failed.
}

export interface Item {
  n: number;
  key: string;
  url: string;
  state: string;
  end: End;
  attempt: number;
  have: number;
  size: number | null;
  path: string | null;
  evidence: Json;
  reason: string | null;
  detail: string | null;
  updated_at: string;
  progress: ItemProgress | null;
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
  worker: number | null;
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
  holders?: number[]; // Other jobs that use the places it waits for.
  stuck: boolean;
  allowed: string[];
}

// An answer is the name of a state, or never, stay, refused or adopt. Null in an ended state.
export interface State {
  name: string;
  end: End;
  step: string;
  leased: boolean;
  stuck_after_s: number | null;
  on_fault: string | null;
  on_fail: string | null;
  on_lost: string | null;
  on_cancel: string | null;
}

export interface Move {
  from: string;
  on: string;
  by: string;
  to: string;
  guards: string[];
  needs: string | null;
  effects: string[];
  bound: string | null;
  origin: string;
}

export interface Field {
  name: string;
  type: string; // string, number, boolean, list, object
  required: boolean;
  about: string;
  values: string[]; // Empty: any value.
  labels?: string[]; // If not empty: what people call each of the values.
  expects?: string; // The range or the length of a value, in words.
  lines?: boolean; // A text that may have several lines.
  long?: boolean; // A text that needs a wide control, such as a URL.
  fields?: Field[]; // Of an object.
}

export interface Lifecycle {
  name: string;
  states: State[];
  moves: Move[];
  request: Field[]; // Empty for the lifecycle of items.
  not_ready: string; // What must be configured before its jobs can run. Empty: nothing.
  price?: number; // Credits for each job. Absent if its jobs are not paid with credits.
  refunds_rejected?: boolean; // A job that the provider rejects gets its price back.
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

export interface SpeedLimit {
  bytes_per_second: number | null; // Of all downloads together. Null: no limit.
  set_by: string; // The setting: transfer.speed_limit, or an entry of transfer.speed_schedule.
  until: string | null; // When another limit begins. Null: never.
}

export interface Stats {
  jobs: StatRow[];
  stuck: number;
  books: { archive: number; library: number };
  workers: number; // Includes workers that went silent less than a minute ago.
  version: string;
  restored_at: string | null; // Set after a restore, until an admin resumes.
  speed_limit?: SpeedLimit; // The one that holds now.
}

export interface Worker {
  id: number;
  name: string;
  beat: number; // Counts its heartbeats.
  started_at: string;
  beat_at: string; // By the worker's clock.
}

// What POST /jobs/{id}/import takes. A file is named by its path.
export interface ImportBody {
  as?: string; // S01E02, S01, 2024-01-15 or movie
  files?: { [path: string]: string }; // S01E02, movie or skip
  dry_run: boolean;
}

export interface PlannedFile {
  source: string;
  target: string | null; // Null or empty: it stays in the download.
  how: string | null;
  size: number | null;
  reason: string | null;
}

export interface ImportPlan {
  files: PlannedFile[];
  problem: { code: string; detail?: string; fix?: string | null } | null;
}

export interface TrashEntry {
  job: number;
  path: string;
  size: number;
  trashed_at: string;
  leaves_at: string | null; // When haul deletes it, at the earliest. Null: never by itself.
}

export interface TrashPage {
  entries: TrashEntry[];
  next: string | null;
  problems: string[]; // Which parts could not be read, as sentences.
}

export interface Restored {
  restored: string[];
  kept: string[]; // Why each other file stays, as sentences.
}

export interface Emptied {
  files: number;
  bytes: number;
  kept: string[];
  more: boolean; // It ended before the last file.
}

export interface Wallet {
  granted: number;
  available: number;
  reserved: number;
  spent: number;
}

// An entry of a user's credit history.
export interface Credit {
  id: number;
  at: string;
  kind: string; // grant, reserve, spend, refund
  amount: number;
  job: number | null;
  detail: string | null;
}

// A picture in the result of a job.
export interface Picture {
  id: number;
  url: string;
  thumbnail_url: string;
  size: number | null;
}

export interface ReasonCount {
  reason: string;
  count: number;
}

export interface User {
  id: number;
  name: string;
  role: string;
  scopes?: string[]; // Not in the answer to a login.
}

export interface List<T> {
  items: T[];
  next: string | null;
  searched?: number; // Rows that a search has read.
}

export interface BatchAnswer {
  status: number;
  job?: Job;
  error?: Problem;
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
  items: ItemProgress[];
}
