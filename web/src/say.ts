// Short messages, shown for a while at the edge of the page and announced to screen readers.

export interface Said {
  id: number;
  text: string;
  tone: 'plain' | 'bad';
  quiet: boolean; // Announced, but not shown.
}

const STAY_MS = 6_000;
const SHOWN_MAX = 4;
let next = 1;
let said: Said[] = [];
const listeners = new Set<(said: Said[]) => void>();

function publish(list: Said[]): void {
  said = list;
  for (const call of listeners) call(said);
}

function add(text: string, tone: Said['tone'], quiet: boolean): void {
  const one: Said = { id: next++, text, tone, quiet };
  publish([...said, one].slice(-SHOWN_MAX));
  setTimeout(() => dismiss(one.id), tone === 'bad' ? 2 * STAY_MS : STAY_MS);
}

export const say = (text: string) => add(text, 'plain', false);
export const complain = (text: string) => add(text, 'bad', false);
export const announce = (text: string) => add(text, 'plain', true);
export const dismiss = (id: number) => publish(said.filter((one) => one.id !== id));

export function on_said(call: (said: Said[]) => void): () => void {
  listeners.add(call);
  return () => listeners.delete(call);
}
