// Log in with a key, or with a name and a password.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, Refused, sentence } from '../api';
import { useNow, useTitle } from '../hooks';
import { Brand, ThemeButton } from '../parts/shell';
import { Notice } from '../parts/small';
import { Prose } from '../parts/text';
import type { User } from '../types';

export function LoginPage({ onLogin }: { onLogin: (user: User) => void }) {
  useTitle('Log in');
  const [by, set_by] = useState<'key' | 'name'>('key');
  const [entered, set] = useState({ key: '', name: '', password: '' });
  const [error, set_error] = useState('');
  const [busy, set_busy] = useState(false);
  const [wait_until, set_wait] = useState(0);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), [by]);
  const left_s = Math.ceil((wait_until - useNow()) / 1000);
  const change = (field: keyof typeof entered) => (event: Event) =>
    set({ ...entered, [field]: (event.target as HTMLInputElement).value });

  const submit = async (event: Event) => {
    event.preventDefault();
    set_busy(true);
    set_error('');
    try {
      const body =
        by === 'key'
          ? { key: entered.key.trim() }
          : { name: entered.name, password: entered.password };
      const { user } = await api.login(body);
      onLogin(user);
    } catch (caught) {
      set_busy(false);
      if (caught instanceof Refused && caught.retry_after_s)
        set_wait(Date.now() + 1000 * caught.retry_after_s);
      const wrong = caught instanceof Refused && caught.status === 401;
      set_error(
        !wrong
          ? sentence(caught)
          : by === 'key'
            ? 'Unknown or revoked key.'
            : 'Wrong name or password.',
      );
      first.current?.select();
    }
  };
  return (
    <main class="login">
      <div class="login-theme">
        <ThemeButton />
      </div>
      <form class="login-box" onSubmit={submit}>
        <div class="login-brand">
          <Brand />
          <h1>haul</h1>
        </div>
        <div class="segments" role="group" aria-label="Log in with">
          <button type="button" aria-pressed={by === 'key'} onClick={() => set_by('key')}>
            Key
          </button>
          <button type="button" aria-pressed={by === 'name'} onClick={() => set_by('name')}>
            Name and password
          </button>
        </div>
        {by === 'key' ? (
          <div class="field">
            <label class="field-name" for="key">
              Key
            </label>
            <input
              ref={first}
              id="key"
              class="input mono"
              type="password"
              name="key"
              autocomplete="current-password"
              required
              spellcheck={false}
              value={entered.key}
              onInput={change('key')}
              aria-describedby="key-about"
            />
            <span class="field-about" id="key-about">
              haul&apos;s first key is in <code>admin.key</code> in the data folder.
            </span>
          </div>
        ) : (
          <>
            <label class="field">
              <span class="field-name">Name</span>
              <input
                ref={first}
                class="input"
                name="username"
                autocomplete="username"
                required
                spellcheck={false}
                autocapitalize="off"
                value={entered.name}
                onInput={change('name')}
              />
            </label>
            <label class="field">
              <span class="field-name">Password</span>
              <input
                class="input"
                type="password"
                name="password"
                autocomplete="current-password"
                required
                value={entered.password}
                onInput={change('password')}
              />
            </label>
          </>
        )}
        {error && (
          <Notice tone="bad">
            <span>
              <Prose text={error} />
              {left_s > 0 && ` You can try again in ${left_s} s.`}
            </span>
          </Notice>
        )}
        <button type="submit" class="button primary wide" disabled={busy || left_s > 0}>
          {busy ? 'Logging in…' : 'Log in'}
        </button>
      </form>
    </main>
  );
}
