// The form of one lifecycle, made from its request fields.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { api, random_key, Refused, sentence } from '../api';
import {
  about_of,
  control_of,
  controls_of,
  errors_of,
  request_of,
  type Values,
  type Wrong,
} from '../form';
import { Notice } from '../parts/small';
import { Pieces } from '../parts/text';
import { go } from '../route';
import { say } from '../say';
import type { Field, Lifecycle } from '../types';
import { PrioritySelect } from './job_priority';

// Values from the page's URL, for links that fill in some fields.
function given_values(fields: Field[], given: URLSearchParams): Values {
  const known = fields.filter((field) => field.type === 'string' && given.has(field.name));
  return Object.fromEntries(known.map((field) => [field.name, given.get(field.name)!]));
}

export function LifecycleForm({ table, given }: { table: Lifecycle; given: URLSearchParams }) {
  const fields = useMemo(() => controls_of(table.request), [table]);
  const [values, set] = useState<Values>(() => given_values(fields, given));
  const [paused, set_paused] = useState(false);
  const [priority, set_priority] = useState(0);
  const [wrong, set_wrong] = useState<Wrong>({});
  const [trouble, set_trouble] = useState<string[]>([]);
  const [busy, set_busy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const key = useMemo(random_key, [values, paused, priority]);
  const show = (errors: Wrong, rest: string[]) => {
    set_wrong(errors);
    set_trouble(rest);
    set_busy(false);
  };
  useEffect(() => {
    if (Object.keys(wrong).length)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [wrong]);

  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    const read = request_of(fields, values);
    if (Object.keys(read.wrong).length) return show(read.wrong, []);
    set_busy(true);
    try {
      const job = await api.add(
        {
          lifecycle: table.name,
          request: read.request,
          ...(paused ? { paused } : {}),
          ...(priority ? { priority } : {}),
        },
        key,
      );
      say(`Job #${job.id} added`);
      go(`/jobs/${job.id}`);
    } catch (caught) {
      const { wrong: named, rest } = errors_of(
        fields,
        caught instanceof Refused ? caught.problem.fields : undefined,
      );
      const told = Object.keys(named).length ? rest : [...rest, sentence(caught)];
      show(named, told);
    }
  };
  const change = (name: string) => (value: string | boolean) => set({ ...values, [name]: value });
  // Required fields come first. Many optional fields are folded away.
  const needed = fields.filter((field) => field.required);
  const first = [
    ...needed,
    ...fields.filter((field) => !field.required).slice(0, Math.max(0, 4 - needed.length)),
  ];
  const rest = fields.filter((field) => !first.includes(field));
  const draw = (field: Field) => (
    <FieldRow
      key={field.name}
      field={field}
      value={values[field.name]}
      wrong={wrong[field.name]}
      change={change(field.name)}
    />
  );
  return (
    <form ref={form} class="panel form" noValidate onSubmit={submit}>
      <div class="form-grid">{first.map(draw)}</div>
      {rest.length > 0 && (
        <details class="more" open={rest.some((field) => wrong[field.name]) || rest.length <= 3}>
          <summary>More optional fields ({rest.length})</summary>
          <div class="form-grid">{rest.map(draw)}</div>
        </details>
      )}
      {trouble.length > 0 && (
        <Notice tone="bad">
          <span>
            {trouble.map((one) => (
              <p key={one}>
                <Pieces text={one} />
              </p>
            ))}
          </span>
        </Notice>
      )}
      <div class="form-foot">
        <label class="check">
          <input type="checkbox" checked={paused} onChange={() => set_paused(!paused)} /> Add paused
        </label>
        <PrioritySelect value={priority} pick={set_priority} />
        <span class="grow" />
        <button type="submit" class="button primary" disabled={busy}>
          {busy ? 'Adding…' : `Add ${table.name} job`}
        </button>
      </div>
    </form>
  );
}

interface RowProps {
  field: Field;
  value: string | boolean | undefined;
  wrong: string | undefined;
  change: (value: string | boolean) => void;
}

function FieldRow({ field, value, wrong, change }: RowProps) {
  const control = control_of(field);
  const id = `field-${field.name}`;
  const about = [field.about ? `${id}-about` : '', wrong ? `${id}-wrong` : '']
    .filter(Boolean)
    .join(' ');
  const common = {
    id,
    'aria-describedby': about || undefined,
    'aria-invalid': Boolean(wrong),
    'aria-required': field.required,
  };
  const text = typeof value === 'string' ? value : '';
  const typed = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value);
  const wide =
    control === 'area' || control === 'json' || control === 'list' || Boolean(field.long);
  return (
    <div class={`field${wide ? ' wide' : ''}${wrong ? ' wrong' : ''}`}>
      <label class="field-name" for={id}>
        {field.name}
        {field.required && (
          <span class="needed" title="required">
            {' '}
            required
          </span>
        )}
      </label>
      {control === 'choice' && (
        <select class="input" {...common} value={text} onChange={typed}>
          <option value="">{field.required ? 'choose…' : 'default'}</option>
          {field.values.map((one, index) => (
            <option key={one} value={one}>
              {field.labels?.[index] ?? one}
            </option>
          ))}
        </select>
      )}
      {control === 'check' && (
        <label class="check">
          <input
            type="checkbox"
            {...common}
            checked={value === true}
            onChange={(event) => change(event.currentTarget.checked)}
          />{' '}
          yes
        </label>
      )}
      {(control === 'area' || control === 'list' || control === 'json') && (
        <textarea
          class={control === 'area' ? 'input' : 'input mono'}
          rows={control === 'area' ? 4 : 2}
          spellcheck={control === 'area'}
          {...common}
          value={text}
          placeholder={control === 'json' ? '{"name": "value"}' : ''}
          onInput={typed}
        />
      )}
      {control === 'number' && (
        <input class="input num" inputMode="numeric" {...common} value={text} onInput={typed} />
      )}
      {control === 'text' && (
        <input class="input" spellcheck={false} {...common} value={text} onInput={typed} />
      )}
      {wrong && (
        <span class="field-wrong" id={`${id}-wrong`}>
          <Pieces text={wrong} />
        </span>
      )}
      {field.about && (
        <span class="field-about" id={`${id}-about`}>
          <Pieces text={about_of(field)} />
        </span>
      )}
    </div>
  );
}
