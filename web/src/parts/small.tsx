// Small components that all pages use.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { sentence } from '../api';
import { ago, clock, share } from '../format';
import { useNow } from '../hooks';
import type { Look } from '../outcome';
import type { Progress } from '../types';
import { CrossIcon, EndMark } from './icons';
import { Prose } from './text';

export function StateName({ state, end, busy }: { state: string; end: Look; busy?: boolean }) {
  return (
    <span class={`state end-${end}`}>
      <EndMark end={end} busy={busy ?? false} />
      <span class="state-word">{state}</span>
    </span>
  );
}

export function Ago({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={clock(at)}>
      {ago(at, now)}
    </time>
  );
}

export function Bar({
  progress,
  label,
}: {
  progress: Pick<Progress, 'have' | 'size'>;
  label: string;
}) {
  const part = share(progress.have, progress.size);
  const now =
    part === null
      ? {}
      : { 'aria-valuenow': Math.floor(part * 100), 'aria-valuemin': 0, 'aria-valuemax': 100 };
  return (
    <span
      class={part === null ? 'bar bar-unknown' : 'bar'}
      role="progressbar"
      aria-label={label}
      {...now}
    >
      <span
        class="bar-fill"
        style={part === null ? {} : { transform: `scaleX(${part.toFixed(4)})` }}
      />
    </span>
  );
}

export function Notice({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'bad' | 'good';
  children: ComponentChildren;
}) {
  return (
    <div class={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      {children}
    </div>
  );
}

export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <Notice tone="bad">
      <EndMark end="bad" />
      <span class="grow">
        <Prose text={sentence(error)} />
      </span>
      {again && (
        <button type="button" class="button small" onClick={again}>
          Try again
        </button>
      )}
    </Notice>
  );
}

export function Dialog({
  title,
  kind = '',
  onClose,
  children,
}: {
  title: string;
  kind?: string; // A class beside `dialog`.
  onClose: () => void;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    box.current?.showModal();
    return () => before?.focus?.();
  }, []);
  const outside = (event: MouseEvent) => event.target === box.current && onClose();
  return (
    <dialog
      ref={box}
      class={kind ? `dialog ${kind}` : 'dialog'}
      aria-label={title}
      onClose={onClose}
      onMouseDown={outside}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2>{title}</h2>
          <button type="button" class="button ghost square" aria-label="Close" onClick={onClose}>
            <CrossIcon />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

export function Waiting({ rows = 6 }: { rows?: number }) {
  return (
    <div class="waiting" aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}
