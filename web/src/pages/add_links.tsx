// One or many links, one job each. Shows errors by line while the user types.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, random_key, sentence, type NewJob } from '../api';
import { takes_links } from '../form';
import { plural } from '../format';
import { useProgress } from '../hooks';
import { parse_links, TWICE } from '../links';
import { hear } from '../live';
import { Bar, Notice, StateName } from '../parts/small';
import { progress_words } from '../progress';
import { Name, Pieces } from '../parts/text';
import { say } from '../say';
import { lifecycles } from '../tables';
import { cut_middle, plain } from '../text';
import { title_of, url_title } from '../title';
import type { BatchAnswer, Job, Json, Lifecycle } from '../types';
import { look_of, state_of } from '../outcome';
import { Flags } from './jobs_row';
import { PrioritySelect } from './job_priority';

const ASKED_MAX = 20;

interface Outcome {
  url: string;
  answer: BatchAnswer;
}

export function LinksForm({ table }: { table: Lifecycle | undefined }) {
  const [pasted, set] = useState('');
  const [options, set_options] = useState({
    engine: '',
    category: '',
    folder: '',
    paused: false,
    priority: 0,
  });
  const [outcomes, set_outcomes] = useState<Outcome[]>([]);
  const [error, set_error] = useState('');
  const [busy, set_busy] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const lines = useMemo(() => parse_links(pasted), [pasted]);
  const good = lines.filter((line) => line.url);
  const bad = lines.filter((line) => line.wrong);
  const choice = table?.request.find((field) => field.labels?.length); // Of a category.
  // One key per content: a double click, or a retry after a lost answer, adds only once.
  const key = useMemo(random_key, [pasted, options]);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (good.length === 0 || busy) return;
    set_busy(true);
    set_error('');
    const request: { [name: string]: Json } = {};
    if (options.engine) request['engine'] = options.engine;
    if (choice && options.category) request[choice.name] = options.category;
    if (options.folder.trim()) request['folder'] = options.folder.trim();
    try {
      const lifecycle = (table ?? (await lifecycles()).find(takes_links))?.name;
      if (!lifecycle) throw new Error('No lifecycle of this daemon accepts links.');
      const jobs: NewJob[] = good.map((line) => ({
        lifecycle,
        request: { url: line.url!, ...request },
        ...(options.paused ? { paused: true } : {}),
        ...(options.priority ? { priority: options.priority } : {}),
      }));
      const answers = await api.add_many(jobs, key);
      const added = answers.filter((answer) => answer.job).length;
      set_outcomes(answers.map((answer, index) => ({ url: good[index]!.url!, answer })));
      const left = [
        ...good.filter((_, index) => !answers[index]?.job),
        ...bad.filter((line) => line.wrong !== TWICE),
      ];
      set(left.map((line) => line.text).join('\n'));
      if (added) say(`${plural(added, 'job')} added`);
    } catch (caught) {
      set_error(sentence(caught));
    }
    set_busy(false);
    box.current?.focus();
  };
  const engines = table?.request.find((field) => field.name === 'engine')?.values ?? [];
  return (
    <>
      <form class="panel form" onSubmit={submit}>
        <div class="field">
          <label class="field-name" for="links">
            Links
          </label>
          <textarea
            ref={box}
            id="links"
            class="input mono links"
            rows={7}
            spellcheck={false}
            autocapitalize="off"
            placeholder={'https://example.org/file.iso\nhttps://example.org/album'}
            value={pasted}
            onInput={(event) => set(event.currentTarget.value)}
            aria-describedby="links-about"
            onKeyDown={(event) =>
              event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit(event)
            }
          />
          <span class="field-about" id="links-about">
            One per line; each becomes a job. <kbd>Ctrl</kbd> <kbd>Enter</kbd> adds them.
          </span>
        </div>
        {bad.length > 0 && (
          <ul class="line-errors" aria-label="Lines that are not added" role="status">
            {bad.slice(0, 8).map((line) => (
              <li key={`${line.n} ${line.text}`}>
                <span class="num">Line {line.n}</span>{' '}
                <bdi>
                  <Pieces text={cut_middle(line.text, 60)} />
                </bdi>{' '}
                <span class="error">{line.wrong}</span>
              </li>
            ))}
            {bad.length > 8 && <li class="muted">and {bad.length - 8} more</li>}
          </ul>
        )}
        <div class="form-row">
          {engines.length > 0 && (
            <label class="field">
              <span class="field-name">Engine</span>
              <select
                class="input"
                value={options.engine}
                onChange={(event) => set_options({ ...options, engine: event.currentTarget.value })}
              >
                <option value="">auto</option>
                {engines
                  .filter((one) => one !== 'auto')
                  .map((one) => (
                    <option key={one} value={one}>
                      {one}
                    </option>
                  ))}
              </select>
            </label>
          )}
          {choice && (
            <label class="field">
              <span class="field-name">Category</span>
              <select
                class="input"
                value={options.category}
                onChange={(event) =>
                  set_options({ ...options, category: event.currentTarget.value })
                }
              >
                <option value="">none</option>
                {choice.values.map((one, index) => (
                  <option key={one} value={one}>
                    {choice.labels?.[index] ?? one}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label class="field grow">
            <span class="field-name">Folder</span>
            <input
              class="input"
              value={options.folder}
              placeholder={options.category ? 'that of the category' : 'the download folder'}
              onInput={(event) => set_options({ ...options, folder: event.currentTarget.value })}
            />
          </label>
        </div>
        <div class="form-foot">
          <label class="check">
            <input
              type="checkbox"
              checked={options.paused}
              onChange={(event) => set_options({ ...options, paused: event.currentTarget.checked })}
            />{' '}
            Add paused
          </label>
          <PrioritySelect
            value={options.priority}
            pick={(priority) => set_options({ ...options, priority })}
          />
          <span class="grow" />
          <button type="submit" class="button primary" disabled={good.length === 0 || busy}>
            {busy ? 'Adding…' : good.length > 1 ? `Add ${plural(good.length, 'link')}` : 'Add link'}
          </button>
        </div>
        {error && <Notice tone="bad">{error}</Notice>}
      </form>
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} table={table} />}
    </>
  );
}

// Shows the live progress of the added jobs, so that the user can stay on this page.
function Outcomes({ outcomes, table }: { outcomes: Outcome[]; table: Lifecycle | undefined }) {
  return (
    <section class="panel" aria-label="What was added">
      <h2 class="panel-title">Added</h2>
      <ul class="outcomes">
        {outcomes.map(({ url, answer }, index) => (
          <li key={index}>
            {answer.job ? (
              <Added
                job={answer.job}
                table={table}
                again={answer.status === 200}
                ask={index < ASKED_MAX}
              />
            ) : (
              <>
                <StateName state="refused" end="bad" />
                <Name text={url_title(url)} />
                <span class="error">
                  <Pieces text={refusal(answer)} />
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AddedProps {
  job: Job;
  table: Lifecycle | undefined;
  again: boolean;
  ask: boolean;
}

function Added({ job: added, table, again, ask }: AddedProps) {
  const [job, set] = useState(added);
  const end_of = (state: string) => table?.states.find((one) => one.name === state)?.end ?? 'open';
  const title = title_of(added);
  useEffect(() => {
    const look = () => void (ask && api.job(added.id).then(set, () => undefined));
    const moved = (to: string) => {
      set((was) => ({ ...was, state: to, end: end_of(to) }));
      if (end_of(to) !== 'open') look(); // The event does not have the outcome.
    };
    const stop = hear('event', (event) => event.job === added.id && event.to && moved(event.to));
    look(); // A small job may have ended before the listener was added.
    return stop;
  }, [added.id, table]);
  const progress = useProgress(job.id, job.progress, job.end === 'open');
  return (
    <>
      <StateName state={state_of(job)} end={look_of(job)} busy={progress !== null} />
      <a href={`/jobs/${job.id}`}>
        <Name text={title} />
      </a>
      <Flags job={job} />
      {again && <span class="muted">already exists</span>}
      {progress && (
        <span class="outcome-progress">
          <Bar progress={progress} label={`Progress of ${plain(cut_middle(title, 80))}`} />
          <span class="sub num">
            {progress_words(progress, 'short').map((word, n) => (
              <span key={n}>{word}</span>
            ))}
          </span>
        </span>
      )}
    </>
  );
}

function refusal(answer: BatchAnswer): string {
  const fields = Object.entries(answer.error?.fields ?? {}).map(([name, why]) => `${name}: ${why}`);
  return fields.length
    ? fields.join('; ')
    : answer.error?.detail || answer.error?.code || `answer ${answer.status}`;
}
