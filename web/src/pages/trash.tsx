// The trash: sources that haul removed, by job. Restores them, or deletes them for good.
import { useEffect, useState } from 'preact/hooks';
import { api, query_of, sentence } from '../api';
import { bytes, plural } from '../format';
import { useLoad, useNow, useTitle } from '../hooks';
import { hear } from '../live';
import { RetryIcon, TrashIcon } from '../parts/icons';
import { LibraryNav } from '../parts/library_nav';
import { Pager } from '../parts/pager';
import { Ago, Dialog, Notice, Trouble, Waiting } from '../parts/small';
import { Name, Prose } from '../parts/text';
import { complain, say } from '../say';
import { cut_middle, plain } from '../text';
import { AGES, empty_all, groups_of, type TrashGroup } from '../trash';
import type { User } from '../types';
import { may_add, may_operate } from '../who';

const PAGE = 50;
const STEPS_MAX = 20;

// What the dialog asks about: all of the trash, or the files of one job.
type Asked = { job?: number };

export function TrashPage({ search, user }: { search: string; user: User }) {
  useTitle('Trash');
  const cursor = new URLSearchParams(search).get('cursor') ?? '';
  const list = useLoad(`trash ${search}`, () => api.trash({ limit: PAGE, cursor }));
  const [busy, set_busy] = useState(false);
  const [asked, ask] = useState<Asked | null>(null);
  const [kept, set_kept] = useState<string[]>([]);
  useEffect(() => hear('resync', list.again), []);
  // The button that was pressed may be gone afterwards, so the content gets the focus.
  const run = async (act: () => Promise<{ words: string; kept: string[] }>) => {
    set_busy(true);
    ask(null);
    try {
      const done = await act();
      set_kept(done.kept);
      say(done.words);
      document.getElementById('main')?.focus({ preventScroll: true });
    } catch (error) {
      complain(sentence(error));
    }
    set_busy(false);
    list.again();
  };
  const restore = (job: number, path?: string) =>
    run(async () => {
      const done = await api.restore_trash({ job, ...(path === undefined ? {} : { path }) });
      return { words: `${plural(done.restored.length, 'file')} restored`, kept: done.kept };
    });
  const empty = (older_than: string) =>
    run(async () => {
      const what = { ...asked, ...(older_than ? { older_than } : {}) };
      const done = await empty_all(() => api.empty_trash(what), STEPS_MAX);
      const rest = done.more ? '; some are left' : '';
      const words = `${plural(done.files, 'file')} deleted, ${bytes(done.bytes)} freed${rest}`;
      return { words, kept: done.kept };
    });
  const groups = groups_of(list.data?.entries ?? []);
  const path = (to: string) => `/trash${query_of({ cursor: to })}`;
  return (
    <section class="list library" aria-label="Trash">
      <h1 class="hidden">Trash</h1>
      <LibraryNav here="/trash" />
      {list.error !== null && <Trouble error={list.error} again={list.again} />}
      {(list.data?.problems?.length ?? 0) > 0 && <Kept kept={list.data!.problems} />}
      {kept.length > 0 && <Kept kept={kept} close={() => set_kept([])} />}
      {!list.data && list.loading && <Waiting rows={6} />}
      {list.data && groups.length === 0 && !list.data.next && (
        <div class="empty">
          <h2>The trash is empty</h2>
          <p>With importer.trash_days, downloads that haul removes come here first.</p>
        </div>
      )}
      {groups.length > 0 && (
        <>
          <div class="list-head">
            <p class="muted">Files that haul removed after an import. They keep using space.</p>
            {may_add(user) && (
              <button type="button" class="button danger" disabled={busy} onClick={() => ask({})}>
                <TrashIcon />
                Empty the trash…
              </button>
            )}
          </div>
          <div class="trash">
            {groups.map((group) => (
              <Group
                key={group.job}
                group={group}
                user={user}
                busy={busy}
                restore={restore}
                remove={() => ask({ job: group.job })}
              />
            ))}
          </div>
        </>
      )}
      <Pager
        list="trash"
        cursor={cursor}
        next={list.data?.next ? String(list.data.next) : null}
        path={path}
        words={{ first: 'First', back: 'Previous', on: 'Next' }}
      />
      {asked && <EmptyDialog user={user} asked={asked} close={() => ask(null)} empty={empty} />}
    </section>
  );
}

function Kept({ kept, close }: { kept: string[]; close?: () => void }) {
  return (
    <Notice tone="bad">
      <span class="grow">
        {kept.slice(0, 20).map((one) => (
          <p key={one}>
            <Prose text={one} max={400} />
          </p>
        ))}
        {kept.length > 20 && <p>and {kept.length - 20} more</p>}
      </span>
      {close && (
        <button type="button" class="button small" onClick={close}>
          Close
        </button>
      )}
    </Notice>
  );
}

interface GroupProps {
  group: TrashGroup;
  user: User;
  busy: boolean;
  restore: (job: number, path?: string) => void;
  remove: () => void;
}

function Group({ group, user, busy, restore, remove }: GroupProps) {
  const { job, entries } = group;
  return (
    <section class="panel" aria-label={`Trash of job ${job}`}>
      <div class="panel-head">
        <h2 class="panel-title">
          <a class="num" href={`/jobs/${job}`}>
            #{job}
          </a>
        </h2>
        <span class="actions">
          {may_add(user) && (
            <button
              type="button"
              class="button small"
              disabled={busy}
              onClick={() => restore(job)}
              aria-label={`Restore all files of job ${job}`}
            >
              <RetryIcon />
              Restore all
            </button>
          )}
          {may_add(user) && (
            <button
              type="button"
              class="button small danger"
              disabled={busy}
              onClick={remove}
              aria-label={`Delete all files of job ${job}…`}
            >
              <TrashIcon />
              Delete all…
            </button>
          )}
        </span>
      </div>
      <ul>
        {entries.map((entry) => (
          <li key={entry.path} class="trashed">
            <span class="trashed-name">
              <Name text={entry.path} />
            </span>
            <span class="sub num">
              <span>{bytes(entry.size)}</span>
              <span>
                removed <Ago at={entry.trashed_at} />
              </span>
              <Leaves at={entry.leaves_at} />
            </span>
            {may_add(user) && (
              <button
                type="button"
                class="button small"
                disabled={busy}
                aria-label={`Restore ${plain(cut_middle(entry.path, 80))}`}
                onClick={() => restore(job, entry.path)}
              >
                Restore
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

// haul deletes a file only while it runs, so the time may pass.
function Leaves({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return null;
  return (
    <span>
      {Date.parse(at) > now ? (
        <>
          leaves <Ago at={at} />
        </>
      ) : (
        'leaves soon'
      )}
    </span>
  );
}

interface EmptyProps {
  user: User;
  asked: Asked;
  close: () => void;
  empty: (older_than: string) => void;
}

function EmptyDialog({ user, asked, close, empty }: EmptyProps) {
  const [older_than, set] = useState('');
  const title =
    asked.job === undefined ? 'Empty the trash?' : `Empty the trash of job ${asked.job}?`;
  return (
    <Dialog title={title} onClose={close}>
      <p>
        haul deletes these files for good
        {asked.job === undefined && (may_operate(user) ? ', of all users' : ', of all your jobs')}.
        The files in the library stay.
      </p>
      <label class="field">
        <span class="field-name">Which files</span>
        <select
          class="input"
          value={older_than}
          onChange={(event) => set(event.currentTarget.value)}
        >
          {AGES.map((age) => (
            <option key={age.older_than} value={age.older_than}>
              {age.name}
            </option>
          ))}
        </select>
      </label>
      <footer class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          Go back
        </button>
        <button type="button" class="button danger solid" onClick={() => empty(older_than)}>
          Delete for good
        </button>
      </footer>
    </Dialog>
  );
}
