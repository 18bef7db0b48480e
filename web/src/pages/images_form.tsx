// The prompt form. It says what an image costs, how many credits are left, and what a block costs.
import { useMemo, useRef, useState } from 'preact/hooks';
import { api, random_key, Refused, sentence } from '../api';
import { errors_of, request_of, type Values, type Wrong } from '../form';
import { can_pay, credits, next_step, price_words } from '../images';
import { ImageIcon } from '../parts/icons';
import { Notice } from '../parts/small';
import { Pieces } from '../parts/text';
import { say } from '../say';
import type { Lifecycle, Wallet } from '../types';

interface Props {
  table: Lifecycle;
  wallet: Wallet | null;
  onMade: () => void;
}

export function ImageForm({ table, wallet, onMade }: Props) {
  const [values, set] = useState<Values>({});
  const [wrong, set_wrong] = useState<Wrong>({});
  const [trouble, set_trouble] = useState<string[]>([]);
  const [busy, set_busy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // Sending the same form again after a lost answer makes no second image.
  const key = useMemo(random_key, [values]);
  const show = (errors: Wrong, rest: string[]) => {
    set_wrong(errors);
    set_trouble(rest);
    set_busy(false);
    form.current?.querySelector<HTMLElement>('textarea')?.focus();
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (busy) return;
    const read = request_of(table.request, values);
    if (Object.keys(read.wrong).length) return show(read.wrong, []);
    set_busy(true);
    try {
      const job = await api.add({ lifecycle: table.name, request: read.request }, key);
      say(`Image #${job.id} added`);
      onMade();
    } catch (caught) {
      const problem = caught instanceof Refused ? caught.problem : null;
      const { wrong: named, rest } = errors_of(table.request, problem?.fields);
      const told = Object.keys(named).length ? rest : [...rest, sentence(caught)];
      show(named, [...told, problem ? next_step(problem.code) : ''].filter(Boolean));
    }
  };
  const typed = (name: string) => (event: { currentTarget: { value: string } }) =>
    set({ ...values, [name]: event.currentTarget.value });
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
  const payable = can_pay(table, wallet);
  const price = table.price ?? 0;
  if (table.not_ready)
    return (
      <Notice>
        <span>
          haul cannot make images yet: <Pieces text={table.not_ready} />
        </span>
      </Notice>
    );
  return (
    <form ref={form} class="panel form image-form" noValidate onSubmit={submit}>
      <div class={`field${wrong['prompt'] ? ' wrong' : ''}`}>
        <label class="field-name" for="prompt">
          Prompt
        </label>
        <textarea
          id="prompt"
          class="input"
          rows={3}
          aria-required
          aria-invalid={Boolean(wrong['prompt'])}
          aria-describedby={wrong['prompt'] ? 'prompt-wrong prompt-cost' : 'prompt-cost'}
          placeholder="What the image shows"
          value={text('prompt')}
          onInput={typed('prompt')}
        />
        {wrong['prompt'] && (
          <span class="field-wrong" id="prompt-wrong">
            <Pieces text={wrong['prompt']} />
          </span>
        )}
      </div>
      <details class="more" open={Boolean(wrong['params'])}>
        <summary>Parameters of the provider</summary>
        <div class={`field${wrong['params'] ? ' wrong' : ''}`}>
          <textarea
            class="input mono"
            rows={2}
            spellcheck={false}
            aria-label="Parameters as JSON"
            aria-invalid={Boolean(wrong['params'])}
            aria-describedby={wrong['params'] ? 'params-wrong' : undefined}
            placeholder='{"size": "1024x1024"}'
            value={text('params')}
            onInput={typed('params')}
          />
          {wrong['params'] && (
            <span class="field-wrong" id="params-wrong">
              <Pieces text={wrong['params']} />
            </span>
          )}
        </div>
      </details>
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
      <div class="form-foot image-foot">
        <p class="muted grow" id="prompt-cost">
          {price_words(table).join(' ')}
        </p>
        {wallet && price > 0 && (
          <a
            class={payable ? 'image-left' : 'image-left image-none'}
            href="/images?view=credits"
            title="Your credits"
          >
            {credits(wallet.available)} left
          </a>
        )}
        <button type="submit" class="button primary" disabled={busy || !payable}>
          <ImageIcon />
          {busy ? 'Adding…' : price > 0 ? `Make image for ${credits(price)}` : 'Make image'}
        </button>
      </div>
      {!payable && (
        <p class="error">You have too few credits for an image. {next_step('no_credit')}</p>
      )}
    </form>
  );
}
