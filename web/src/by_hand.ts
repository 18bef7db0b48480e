// Importing by hand: which jobs wait for it, what the user said, and what haul would do with it.
import { plural } from './format';
import type { ImportBody, ImportPlan, Job, User } from './types';
import { is_own, may_add, may_operate } from './who';

// Why an import waits until a user says what the files are.
const REASONS = new Set([
  'cannot_parse',
  'ambiguous',
  'no_video',
  'no_library',
  'two_for_one_target',
  'destination_taken',
]);

export const waits_for_hand = (job: Pick<Job, 'end' | 'reason'>) =>
  job.end === 'open' && REASONS.has(job.reason ?? '');

export const may_import = (job: Pick<Job, 'owner'>, user: User) =>
  may_add(user) && (is_own(job, user) || may_operate(user));

// As typed into the form.
export interface Said {
  whole: string; // What the job is.
  files: Record<string, string>; // What a file is, by its path.
}

// Leaves out what the user left empty.
export function body_of(said: Said, dry_run: boolean): ImportBody {
  const whole = said.whole.trim();
  const files = Object.entries(said.files)
    .map(([path, as]) => [path, as.trim()] as const)
    .filter(([, as]) => as !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(whole ? { as: whole } : {}),
    ...(files.length ? { files: Object.fromEntries(files) } : {}),
    dry_run,
  };
}

// A preview is only valid for what was typed when it was made.
export const is_same = (a: Said, b: Said) =>
  JSON.stringify(body_of(a, true)) === JSON.stringify(body_of(b, true));

export function plan_words(plan: ImportPlan): string {
  const going = plan.files.filter((file) => file.target).length;
  const staying = plan.files.length - going;
  if (plan.problem || !going) return 'Nothing would be imported';
  const rest = staying ? `, ${plural(staying, 'file')} not` : '';
  return `${plural(going, 'file')} would go into the library${rest}`;
}

// The page has a form for what the command line says with `haul import`.
export const fix_of = (fix: string | null | undefined) =>
  fix && !/\bhaul import\b/.test(fix) ? fix : '';
