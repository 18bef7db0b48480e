// The files that a delete can remove, and what became of them.
import { bytes, plural } from './format';
import type { Counts, DeletedFiles } from './types';

export interface OwnFiles {
  files: number;
  bytes: number;
}

// Only jobs with items have files of their own.
export function own_files(jobs: { counts: Counts }[]): OwnFiles {
  return jobs.reduce(
    (sum, { counts }) => ({
      files: sum.files + counts.downloaded,
      bytes: sum.bytes + (counts.bytes ?? 0),
    }),
    { files: 0, bytes: 0 },
  );
}

// "Also delete its 3 files (1.5 KiB)"
export function files_label(own: OwnFiles, whose: 'its' | 'their'): string {
  return `Also delete ${whose} ${plural(own.files, 'file')} (${bytes(own.bytes)})`;
}

// "2 removed (1.5 KiB), 1 was gone already, 1 kept"
export function what_became(files: DeletedFiles): string {
  const parts = [`${files.removed.toLocaleString('en')} removed (${bytes(files.bytes)})`];
  if (files.gone) parts.push(`${plural(files.gone, 'was', 'were')} gone already`);
  if (files.kept) parts.push(`${files.kept.toLocaleString('en')} kept`);
  const text = parts.join(', ');
  if (files.waits_for) return `${text}; waits: ${files.waits_for}`;
  return files.ended_at ? text : `${text}; not done yet`;
}
