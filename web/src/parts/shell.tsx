// The bar at the top, the messages, and the shortcuts that work on every page.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ask_health } from '../health';
import { useLink } from '../hooks';
import { is_shortcut, keys_on, set_keys } from '../keys';
import { go } from '../route';
import { dismiss, on_said, type Said } from '../say';
import { apply_theme, next_theme, saved_theme, type Theme } from '../theme';
import type { User } from '../types';
import { may_add } from '../who';
import {
  BooksIcon,
  CrossIcon,
  HalfIcon,
  ImageIcon,
  KeysIcon,
  LeaveIcon,
  ListIcon,
  MoonIcon,
  PlusIcon,
  SendIcon,
  SunIcon,
} from './icons';
import { Dialog, Notice } from './small';
import { Pieces } from './text';

// Add a line here for a new page.
const PAGES = [
  { page: 'jobs', path: '/jobs', name: 'Jobs', icon: <ListIcon />, also: ['job'], adds: false },
  {
    page: 'library',
    path: '/library',
    name: 'Library',
    icon: <BooksIcon />,
    also: ['book', 'films', 'trash'],
    adds: false,
  },
  { page: 'images', path: '/images', name: 'Images', icon: <ImageIcon />, also: [], adds: false },
  { page: 'relays', path: '/relays', name: 'Relay', icon: <SendIcon />, also: [], adds: false },
  { page: 'add', path: '/add', name: 'Add', icon: <PlusIcon />, also: [], adds: true },
] as const;

interface Props {
  user: User;
  page: string;
  onLeave: () => void;
  children: ComponentChildren;
}

export function Shell({ user, page, onLeave, children }: Props) {
  const [keys, show_keys] = useState(false);
  // A layout effect, so that a key pressed at once is not lost.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === '?' && is_shortcut(event)) show_keys(true);
      else if (event.key === 'a' && is_shortcut(event)) {
        event.preventDefault();
        go('/add');
      } else if (event.key === 'l' && is_shortcut(event)) go('/jobs');
      else if (event.key === 'b' && is_shortcut(event)) go('/library');
      else if (event.key === 'i' && is_shortcut(event)) go('/images');
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  const skip = (event: Event) => {
    event.preventDefault();
    document.getElementById('main')?.focus();
  };
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/jobs" aria-label="haul, all jobs">
          <Brand />
          <span>haul</span>
        </a>
        <nav class="nav" aria-label="Pages">
          {PAGES.filter((one) => !one.adds || may_add(user)).map((one) => {
            const here = one.page === page || (one.also as readonly string[]).includes(page);
            return (
              <a key={one.page} href={one.path} aria-current={here ? 'page' : undefined}>
                {one.icon}
                <span>{one.name}</span>
              </a>
            );
          })}
        </nav>
        <span class="grow" />
        <LinkNote />
        <ThemeButton />
        <button
          type="button"
          class="button ghost square keys-button"
          title="Keyboard shortcuts (?)"
          aria-label="Keyboard shortcuts"
          onClick={() => show_keys(true)}
        >
          <KeysIcon />
        </button>
        <span class="who" title={`Role: ${user.role}`}>
          <Pieces text={user.name} />
        </span>
        <button
          type="button"
          class="button ghost square"
          title="Log out"
          aria-label="Log out"
          onClick={onLeave}
        >
          <LeaveIcon />
        </button>
      </header>
      <StoreNotice />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Messages />
      {keys && <KeysDialog onClose={() => show_keys(false)} />}
    </>
  );
}

export function Brand() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" class="brand-box" />
      <path
        d="M10 6.5v19M10 17.5c0-3.8 2.6-6 6-6s6 2.2 6 6v7M18.2 21.3 22 25.1l3.8-3.8"
        class="brand-line"
        stroke-width="3"
      />
    </svg>
  );
}

const HEALTH_EVERY_MS = 15_000;

function StoreNotice() {
  const [trouble, set] = useState<string | null>(null);
  useEffect(() => {
    const look = () => {
      if (!document.hidden) void ask_health().then(set);
    };
    look();
    const timer = setInterval(look, HEALTH_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return trouble === null ? null : <Notice tone="bad">{trouble}</Notice>;
}

function LinkNote() {
  const link = useLink();
  return (
    <span class="link-note" role="status">
      {link === 'live' && (
        <span class="link-live" title="Live updates are on">
          <span class="dot" />
          <span class="hidden">Live</span>
        </span>
      )}
      {link === 'lost' && (
        <span class="link-lost">
          <span class="dot" />
          Reconnecting…
        </span>
      )}
    </span>
  );
}

const THEMES: Record<Theme, { icon: ComponentChildren; name: string }> = {
  system: { icon: <HalfIcon />, name: 'system' },
  light: { icon: <SunIcon />, name: 'light' },
  dark: { icon: <MoonIcon />, name: 'dark' },
};

export function ThemeButton() {
  const [theme, set] = useState(saved_theme);
  const turn = () => {
    const next = next_theme(theme);
    apply_theme(next);
    set(next);
  };
  const text = `Theme: ${THEMES[theme].name}. Change to ${THEMES[next_theme(theme)].name}`;
  return (
    <button type="button" class="button ghost square" title={text} aria-label={text} onClick={turn}>
      {THEMES[theme].icon}
    </button>
  );
}

function Messages() {
  const [said, set] = useState<Said[]>([]);
  useEffect(() => on_said(set), []);
  return (
    <div class="messages" role="status" aria-live="polite">
      {said.map((one) => (
        <div key={one.id} class={one.quiet ? 'hidden' : `message message-${one.tone}`}>
          <span class="grow">
            <Pieces text={one.text} />
          </span>
          {!one.quiet && (
            <button
              type="button"
              class="button ghost square small"
              aria-label="Dismiss"
              onClick={() => dismiss(one.id)}
            >
              <CrossIcon />
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

const KEYS: [string, string][] = [
  ['/', 'Search the list'],
  ['j  k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the job'],
  ['Esc', 'Clear the selection'],
  ['a', 'Add'],
  ['l', 'List of jobs'],
  ['b', 'Books in the library'],
  ['i', 'Images'],
  ['?', 'Show these shortcuts'],
];

function KeysDialog({ onClose }: { onClose: () => void }) {
  const [on, set] = useState(keys_on);
  const turn = () => {
    set_keys(!on);
    set(!on);
  };
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split('  ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={on} onChange={turn} /> Single keys work as shortcuts
      </label>
    </Dialog>
  );
}
