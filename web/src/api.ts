// All requests to the server. Every reply that is not 2xx becomes a `Refused`.
import type {
  BatchAnswer,
  Book,
  Credit,
  Emptied,
  ImportBody,
  ImportPlan,
  Item,
  Job,
  JobActed,
  JobEvent,
  Json,
  Lifecycle,
  List,
  Problem,
  ReasonCount,
  Restored,
  Stats,
  TrashPage,
  User,
  Wallet,
  Why,
  Worker,
} from './types';

const BASE = '/api/v1';
const TIMEOUT_MS = 30_000;

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
    readonly retry_after_s: number | null = null,
  ) {
    super(problem.detail || problem.code);
  }
}

let on_logged_out: () => void = () => {};

// Called when the server answers a request with 401: the session has ended. Not for a failed login.
export function when_logged_out(call: () => void): void {
  on_logged_out = call;
}

type Query = Record<string, string | number | boolean | null | undefined>;

export function query_of(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  const text = params.toString();
  return text ? `?${text}` : '';
}

async function problem_of(answer: Response): Promise<Problem> {
  const unreadable = {
    code: `http_${answer.status}`,
    detail: `The server answered ${answer.status}.`,
  };
  try {
    const body: unknown = await answer.json();
    return body && typeof body === 'object' && 'code' in body ? (body as Problem) : unreadable;
  } catch {
    return unreadable;
  }
}

async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  extra?: Record<string, string>,
): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json', ...extra };
  if (method !== 'GET') headers['X-Haul'] = '1';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), TIMEOUT_MS);
  try {
    const answer = await fetch(BASE + path, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      signal: stop.signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) {
      const problem = await problem_of(answer);
      if (answer.status === 401 && problem.code !== 'bad_login') on_logged_out();
      const wait = Number(answer.headers.get('Retry-After'));
      throw new Refused(answer.status, problem, Number.isFinite(wait) && wait > 0 ? wait : null);
    }
    const text = await answer.text();
    return (text ? JSON.parse(text) : null) as T;
  } catch (error) {
    if (error instanceof Refused) throw error;
    const late = stop.signal.aborted;
    throw new Refused(0, {
      code: late ? 'timeout' : 'unreachable',
      detail: late ? 'The server did not answer in time.' : 'The server cannot be reached.',
    });
  } finally {
    clearTimeout(timer);
  }
}

// crypto.randomUUID is missing if the page came over plain HTTP from another machine.
export function random_key(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface NewJob {
  lifecycle: string;
  request: { [name: string]: Json };
  paused?: boolean;
  priority?: number;
}

export type JobsQuery = {
  lifecycle?: string;
  state?: string;
  end?: string;
  outcome?: string;
  reason?: string;
  stuck?: boolean;
  category?: string;
  q?: string;
  sort?: string;
  limit?: number;
  cursor?: string | null;
};

// The filters of the list, as a bulk action takes them.
export type JobMatch = Pick<
  JobsQuery,
  'lifecycle' | 'state' | 'end' | 'outcome' | 'reason' | 'stuck' | 'category' | 'q'
>;

export type BooksQuery = { shelf?: string; q?: string; limit?: number; cursor?: string | null };

export const api = {
  me: () => ask<User>('GET', '/me'),
  login: (body: { key: string } | { name: string; password: string }) =>
    ask<{ user: User }>('POST', '/login', body),
  logout: () => ask<null>('POST', '/logout'),
  stats: () => ask<Stats>('GET', '/stats'),
  workers: () => ask<List<Worker>>('GET', '/workers'),
  jobs: (query: JobsQuery) => ask<List<Job>>('GET', `/jobs${query_of(query)}`),
  job: (id: number) => ask<Job>('GET', `/jobs/${id}`),
  items: (id: number, query: { state?: string; limit?: number; cursor?: string | null }) =>
    ask<List<Item>>('GET', `/jobs/${id}/items${query_of(query)}`),
  events: (id: number, query: { limit?: number; cursor?: string | null }) =>
    ask<List<JobEvent>>('GET', `/jobs/${id}/events${query_of(query)}`),
  why: (id: number) => ask<Why>('GET', `/jobs/${id}/why`),
  result: (id: number) => ask<Json>('GET', `/jobs/${id}/result`),
  books: (query: BooksQuery) => ask<List<Book>>('GET', `/books${query_of(query)}`),
  book: (id: string) => ask<Book>('GET', `/books/${encodeURIComponent(id)}`),
  book_jobs: (id: string, query: { limit?: number; cursor?: string | null }) =>
    ask<List<Job>>('GET', `/books/${encodeURIComponent(id)}/jobs${query_of(query)}`),
  lifecycles: () => ask<{ items: Lifecycle[] }>('GET', '/lifecycles'),
  add: (job: NewJob, key: string) => ask<Job>('POST', '/jobs', job, { 'Idempotency-Key': key }),
  add_many: (jobs: NewJob[], key: string) =>
    ask<BatchAnswer[]>('POST', '/jobs/batch', jobs, { 'Idempotency-Key': key }),
  plan_import: (id: number, body: ImportBody) =>
    ask<ImportPlan>('POST', `/jobs/${id}/import`, body),
  import_job: (id: number, body: ImportBody) => ask<Json>('POST', `/jobs/${id}/import`, body),
  trash: (query: { limit?: number; cursor?: string | null }) =>
    ask<TrashPage>('GET', `/trash${query_of(query)}`),
  restore_trash: (what: { job: number; path?: string }) =>
    ask<Restored>('POST', '/trash/restore', what),
  empty_trash: (what: { job?: number; older_than?: string }) =>
    ask<Emptied>('POST', '/trash/empty', what),
  users: (query: { limit?: number; cursor?: string | null }) =>
    ask<List<User>>('GET', `/users${query_of(query)}`),
  wallet: (user: number) => ask<Wallet>('GET', `/users/${user}/credits`),
  credit_history: (user: number, query: { limit?: number; before?: string | null }) =>
    ask<List<Credit>>('GET', `/users/${user}/credits/history${query_of(query)}`),
  grant: (user: number, body: { amount: number; detail?: string }, key: string) =>
    ask<Wallet>('POST', `/users/${user}/credits`, body, { 'Idempotency-Key': key }),
  reasons: (query: { lifecycle: string; state: string }) =>
    ask<{ items: ReasonCount[] }>('GET', `/reasons${query_of(query)}`),
  resume_store: () => ask<{ resumed: boolean }>('POST', '/resume'),
  act: (id: number, action: string, with_files = false) =>
    action === 'delete'
      ? ask<Job>('DELETE', `/jobs/${id}${with_files ? '?files=true' : ''}`)
      : ask<Job>('POST', `/jobs/${id}/${action}`),
  act_on_matching: (body: {
    action: string;
    filter: JobMatch;
    dry_run: boolean;
    files?: boolean;
    cursor?: string;
  }) => ask<JobActed>('POST', '/jobs/actions', body),
  replace_url: (id: number, item: number, url: string) =>
    ask<Job>('POST', `/jobs/${id}/items/${item}/url`, { url }),
  set_priority: (id: number, priority: number) =>
    ask<Job>('POST', `/jobs/${id}/priority`, { priority }),
};

// A sentence to show for anything that was thrown.
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
