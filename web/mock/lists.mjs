// Lists of jobs: filters, orders, pages, and actions on all jobs that match.
import * as world from './world.mjs';

// A page of a list, as the server gives it.
export function page(list, query, of = (row) => row, id = (row) => row.id) {
  const limit = Math.min(100, Number(query.get('limit') ?? 20));
  const cursor = query.get('cursor');
  const from = cursor ? list.findIndex((row) => String(id(row)) === cursor) + 1 : 0;
  const rows = list.slice(from, from + limit);
  return { items: rows.map(of), next: from + limit < list.length ? String(id(rows.at(-1))) : null };
}

const SORTS = {
  moved: (job) => job.moved_at,
  ended: (job) => job.ended_at,
  priority: (job) => (world.end_of(job) === 'open' ? job.priority : null),
};

// Newest first, or by `sort`: the latest or highest first, without the jobs that have no such value.
function matching(query) {
  const is = (name, value) =>
    !query.get(name) || query.get(name).toLowerCase() === String(value).toLowerCase();
  const q = (query.get('q') ?? '').toLowerCase();
  const rows = [...world.jobs.values()].filter(
    (job) =>
      !job.hidden_at &&
      is('lifecycle', job.lifecycle) &&
      is('state', job.state) &&
      is('end', world.end_of(job)) &&
      is('outcome', world.outcome(job)) &&
      is('reason', job.reason) &&
      is('category', job.request.category) &&
      (query.get('stuck') !== 'true' || world.is_stuck(job)) &&
      (!q || JSON.stringify(job.request).toLowerCase().includes(q) || String(job.id) === q),
  );
  const key = SORTS[query.get('sort')];
  rows.sort((a, b) => b.id - a.id);
  if (!key) return rows;
  return rows
    .filter((job) => key(job) !== null)
    .sort((a, b) => (key(a) < key(b) ? 1 : key(a) > key(b) ? -1 : 0));
}

export const list_jobs = (query) => page(matching(query), query, world.shown);

// `act` makes the action on one job.
export function act_on_matching(body, act) {
  const query = new URLSearchParams({ ...body.filter, limit: String(body.limit ?? 100) });
  const left = matching(query).filter((job) => !body.cursor || job.id < Number(body.cursor));
  const part = page(left, query);
  const items = part.items.map((job) => {
    const { id, state } = job;
    const can = world.allowed(job).includes(body.action);
    if (!can) return { id, state, outcome: 'refused', code: 'not_allowed', detail: `is ${state}` };
    if (body.files && !world.has_own_files(job))
      return { id, state, outcome: 'refused', code: 'no_own_files', detail: 'has no files' };
    const { downloaded, bytes } = world.counts(job);
    const more = body.files ? { files: downloaded, bytes } : {};
    if (body.dry_run) return { id, state, outcome: 'would', ...more };
    const [status] = act(job, body.action, body.files);
    return { id, state, outcome: status === 202 ? 'accepted' : 'done', ...more };
  });
  const acted = items.filter((one) => one.outcome !== 'refused').length;
  const sum = (name) => items.reduce((all, one) => all + (one[name] ?? 0), 0);
  const more = body.files ? { files: sum('files'), bytes: sum('bytes') } : {};
  return { ...body, items, next: part.next, matched: items.length, acted, ...more };
}
