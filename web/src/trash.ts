// The trash as the page shows it: its files by job.
import type { Emptied, TrashEntry } from './types';

export interface TrashGroup {
  job: number;
  entries: TrashEntry[];
}

// The API lists the files by job.
export function groups_of(entries: TrashEntry[]): TrashGroup[] {
  const groups: TrashGroup[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.job === entry.job) last.entries.push(entry);
    else groups.push({ job: entry.job, entries: [entry] });
  }
  return groups;
}

// Empties step by step: one request deletes a bounded number of files.
export async function empty_all(step: () => Promise<Emptied>, steps_max: number): Promise<Emptied> {
  const all: Emptied = { files: 0, bytes: 0, kept: [], more: true };
  for (let n = 0; n < steps_max && all.more; ++n) {
    const done = await step();
    all.files += done.files;
    all.bytes += done.bytes;
    all.kept = done.kept; // A file that stays is named each time.
    all.more = done.more && done.files > 0;
  }
  return all;
}

// What a user can choose when emptying the trash.
export const AGES = [
  { older_than: '', name: 'All files' },
  { older_than: '1d', name: 'Files removed more than a day ago' },
  { older_than: '7d', name: 'Files removed more than 7 days ago' },
  { older_than: '30d', name: 'Files removed more than 30 days ago' },
];
