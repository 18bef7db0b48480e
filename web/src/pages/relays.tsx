// Send a file of the cloud disk into a chat, and follow what is on its way.
import { useMemo, useRef, useState } from 'preact/hooks';
import { api, query_of, random_key, Refused, sentence } from '../api';
import { errors_of, setup_of, type Wrong } from '../form';
import { useLifecycles, useLoad, useProgress, useTitle } from '../hooks';
import { is_busy, look_of, state_of } from '../outcome';
import { Pager } from '../parts/pager';
import { Ago, Bar, Notice, StateName, Trouble, Waiting } from '../parts/small';
import { progress_words } from '../progress';
import { Name, Pieces } from '../parts/text';
import { chat_of, folder_of, relay_request, RELAYS } from '../relays';
import { say } from '../say';
import { cut_middle, plain } from '../text';
import { title_of } from '../title';
import type { Job, Lifecycle, User } from '../types';
import { may_add } from '../who';
import { useFollow, useListKeys } from './jobs_hooks';
import { Flags } from './jobs_row';

const PAGE = 50;
const path_of = (cursor: string) => `/relays${query_of({ cursor })}`;
const no_selection = () => undefined;

export function RelaysPage({ search, user }: { search: string; user: User }) {
  useTitle('Relay');
  const { tables, error } = useLifecycles();
  const cursor = useMemo(() => new URLSearchParams(search).get('cursor') ?? '', [search]);
  const list = useLoad(`relays ${search}`, () =>
    api.jobs({ lifecycle: RELAYS, cursor, limit: PAGE }),
  );
  const jobs = list.data?.items ?? [];
  useFollow(list.again, jobs);
  useListKeys(no_selection);
  const table = tables.find((one) => one.name === RELAYS);
  const lack = table ? setup_of(table) : '';
  return (
    <section class="list relays" aria-label="Relay">
      <h1>Relay</h1>
      {error && <Notice tone="bad">{error}</Notice>}
      {lack && (
        <Notice>
          <span>
            <Pieces text={lack} />
          </span>
        </Notice>
      )}
      {table && may_add(user) && <SendForm table={table} user={user} sent={list.again} />}
      {list.error !== null && <Trouble error={list.error} again={list.again} />}
      {!list.data && list.loading && <Waiting rows={6} />}
      {list.data && jobs.length === 0 && !list.data.next && (
        <div class="empty">
          <h2>Nothing was sent yet</h2>
          <p>Files appear here as soon as one is on its way from the disk into a chat.</p>
        </div>
      )}
      {jobs.length > 0 && (
        <ul class="films">
          {jobs.map((job) => (
            <RelayRow key={job.id} job={job} changed={list.again} />
          ))}
        </ul>
      )}
      <Pager
        list="files"
        cursor={cursor}
        next={list.data?.next ? String(list.data.next) : null}
        path={path_of}
        words={{ first: 'Newest', back: 'Newer', on: 'Older' }}
      />
    </section>
  );
}

interface FormProps {
  table: Lifecycle;
  user: User;
  sent: () => void;
}

function SendForm({ table, user, sent }: FormProps) {
  const [file, set_file] = useState('');
  const [chat, set_chat] = useState('');
  const [wrong, set_wrong] = useState<Wrong>({});
  const [trouble, set_trouble] = useState('');
  const [busy, set_busy] = useState(false);
  const nonce = useRef(random_key());

  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    set_busy(true);
    set_wrong({});
    set_trouble('');
    try {
      const request = relay_request(user, { file, chat }, nonce.current);
      const job = await api.add({ lifecycle: table.name, request }, nonce.current);
      nonce.current = random_key();
      set_file('');
      say(`Job #${job.id} added`);
      sent();
    } catch (caught) {
      const named = caught instanceof Refused ? caught.problem.fields : undefined;
      const { wrong: fields, rest } = errors_of(table.request, named);
      set_wrong(fields);
      set_trouble(Object.keys(fields).length ? rest.join(' ') : sentence(caught));
      // A refused request was not stored, so the next one is another.
      if (caught instanceof Refused && caught.status > 0) nonce.current = random_key();
    } finally {
      set_busy(false);
    }
  };
  return (
    <form class="panel form" noValidate onSubmit={submit}>
      <div class="form-grid">
        <Field
          id="relay-file"
          name="Path on the disk"
          value={file}
          wrong={wrong['file_id']}
          hint="disk:/Films/a.mp4"
          change={set_file}
        />
        <Field
          id="relay-chat"
          name="Chat"
          value={chat}
          wrong={wrong['chat_id']}
          hint="-1001234567890 or @name"
          change={set_chat}
        />
      </div>
      {trouble && (
        <Notice tone="bad">
          <span>
            <Pieces text={trouble} />
          </span>
        </Notice>
      )}
      <div class="form-foot">
        <span class="grow" />
        <button type="submit" class="button primary" disabled={busy}>
          {busy ? 'Adding…' : 'Send'}
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  id: string;
  name: string;
  value: string;
  wrong: string | undefined;
  hint: string;
  change: (value: string) => void;
}

function Field({ id, name, value, wrong, hint, change }: FieldProps) {
  return (
    <div class={`field${wrong ? ' wrong' : ''}`}>
      <label class="field-name" for={id}>
        {name}
      </label>
      <input
        class="input"
        id={id}
        spellcheck={false}
        value={value}
        aria-describedby={wrong ? `${id}-hint ${id}-wrong` : `${id}-hint`}
        aria-invalid={Boolean(wrong)}
        aria-required
        onInput={(event) => change(event.currentTarget.value)}
      />
      {wrong && (
        <span class="field-wrong" id={`${id}-wrong`}>
          <Pieces text={wrong} />
        </span>
      )}
      <span class="field-about" id={`${id}-hint`}>
        such as {hint}
      </span>
    </div>
  );
}

function RelayRow({ job, changed }: { job: Job; changed: () => void }) {
  const title = title_of(job);
  const progress = useProgress(job.id, job.progress, job.end === 'open');
  const cancel = () =>
    api.act(job.id, 'cancel').then(changed, (error: unknown) => say(sentence(error)));
  return (
    <li class={`row film end-${look_of(job)}`} data-job={job.id}>
      <div class="film-name">
        <a class="row-link" href={`/jobs/${job.id}`}>
          <Name text={title} />
        </a>
        <span class="sub">
          <span class="num">#{job.id}</span>
          <span>
            to <Pieces text={cut_middle(chat_of(job), 34)} />
          </span>
          <span class="sub-cut">
            <Pieces text={cut_middle(folder_of(job), 80)} />
          </span>
        </span>
      </div>
      <div class="film-state">
        <StateName state={state_of(job)} end={look_of(job)} busy={is_busy(job, progress)} />
        <span class="sub">
          <Flags job={job} />
          {job.reason && (
            <span
              class="reason"
              title={job.detail ? plain(cut_middle(job.detail, 300)) : undefined}
            >
              <Pieces text={cut_middle(job.reason, 60)} />
            </span>
          )}
          {progress &&
            progress_words(progress, 'short').map((word) => <span key={word}>{word}</span>)}
        </span>
        {progress && (
          <Bar progress={progress} label={`Progress of ${plain(cut_middle(title, 80))}`} />
        )}
      </div>
      <span class="film-when">
        <Ago at={job.moved_at} />
      </span>
      {job.allowed.includes('cancel') && (
        <button
          type="button"
          class="button small"
          aria-label={`Cancel ${plain(cut_middle(title, 80))}`}
          onClick={cancel}
        >
          Cancel
        </button>
      )}
    </li>
  );
}
