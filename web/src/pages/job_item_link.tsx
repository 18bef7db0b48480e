// A form for another link of a file whose own link has expired.
import { useState } from 'preact/hooks';
import { api, sentence } from '../api';
import { go } from '../route';
import { say } from '../say';
import type { Item } from '../types';

const focus = (input: HTMLInputElement | null) => input?.focus();

export function ItemLink({ job, item, name }: { job: number; item: Item; name: string }) {
  const [open, set_open] = useState(false);
  const [url, set_url] = useState('');
  const [wrong, set_wrong] = useState('');
  const [busy, set_busy] = useState(false);
  const send = async (event: Event) => {
    event.preventDefault();
    set_busy(true);
    try {
      const next = await api.replace_url(job, item.n, url.trim());
      say('A new job fetches the file from the new link');
      go(`/jobs/${next.id}`);
    } catch (error) {
      set_wrong(sentence(error));
    }
    set_busy(false);
  };
  if (!open)
    return (
      <span class="item-link">
        <button
          type="button"
          class="button small"
          aria-label={`Replace the link of ${name}`}
          onClick={() => set_open(true)}
        >
          Replace link
        </button>
      </span>
    );
  const about = `link-${item.n}-about`;
  return (
    <form class="item-link" noValidate onSubmit={send}>
      <label class={wrong ? 'field wrong grow' : 'field grow'}>
        <span class="field-name">New link of the same file</span>
        <input
          class="input"
          type="url"
          autocomplete="off"
          spellcheck={false}
          ref={focus}
          aria-invalid={wrong !== ''}
          aria-describedby={about}
          value={url}
          onInput={(event) => {
            set_url(event.currentTarget.value);
            set_wrong('');
          }}
        />
        <span
          class={wrong ? 'field-wrong' : 'field-about'}
          id={about}
          role={wrong ? 'alert' : undefined}
        >
          {wrong ||
            'haul goes on with the bytes that are here if the new link has the same ones, and starts over if not.'}
        </span>
      </label>
      <span class="item-link-acts">
        <button type="submit" class="button small solid" disabled={busy || !url.trim()}>
          Replace
        </button>
        <button type="button" class="button small" onClick={() => set_open(false)}>
          Go back
        </button>
      </span>
    </form>
  );
}
