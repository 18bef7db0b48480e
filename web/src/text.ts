// Makes text from outside safe to show: characters that hide, reorder or break text become visible.

export interface Piece {
  text: string;
  escaped: boolean;
}

// C0 (except newlines and tabs if asked) and DEL, C1, line separators, zero-width marks, and
// everything that changes the direction of text. U+200C and U+200D stay: scripts and emoji need
// them.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function name_of(char: string): string {
  return `⟨U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

// `lines` keeps newlines and tabs, for blocks that show more than one line.
export function pieces(text: string, lines = false): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const char = match[0];
    if (lines && (char === '\n' || char === '\t')) continue;
    if (match.index > at) found.push({ text: text.slice(at, match.index), escaped: false });
    found.push({ text: name_of(char), escaped: true });
    at = match.index + char.length;
  }
  if (at < text.length) found.push({ text: text.slice(at), escaped: false });
  return found;
}

// The same as one string: for titles, labels and messages.
export function plain(text: string): string {
  return pieces(text)
    .map((piece) => piece.text)
    .join('');
}

const segmenter =
  'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : null;

function graphemes(text: string): string[] {
  return segmenter ? Array.from(segmenter.segment(text), (part) => part.segment) : Array.from(text);
}

// At most `max` characters as a user counts them, with the middle left out.
export function cut_middle(text: string, max: number): string {
  if (text.length <= max) return text;
  // Cut a long text roughly first, so that its length costs nothing.
  const rough = 8 * max;
  const source =
    text.length > 2 * rough ? `${text.slice(0, rough)}\u2026${text.slice(-rough)}` : text;
  const parts = graphemes(source);
  if (parts.length <= max) return source;
  const tail = Math.floor((max - 1) / 3);
  return `${parts.slice(0, max - 1 - tail).join('')}\u2026${tail ? parts.slice(-tail).join('') : ''}`;
}

// Where a name may be cut if there is no room. The tail, usually an extension, is always shown. It
// begins at a word if one begins nearby.
export function split_tail(text: string, tail: number): [string, string] {
  if (text.length <= 2 * tail) return [text, ''];
  const parts = graphemes(text);
  if (parts.length <= 2 * tail) return [text, ''];
  const ideal = parts.length - tail;
  const nearby = [0, 1, -1, 2, -2, 3, -3, 4].map((shift) => ideal + shift);
  const at =
    nearby.find(
      (index) => /[\s._/-]/.test(parts[index - 1] ?? '') && !/\s/.test(parts[index] ?? ' '),
    ) ?? ideal;
  return [parts.slice(0, at).join(''), parts.slice(at).join('')];
}

// Only URLs that a browser may open. `javascript:`, `data:` and the like stay text.
export function safe_href(text: string): string | null {
  if (!/^(https?:\/\/|magnet:\?)/i.test(text)) return null;
  try {
    const url = new URL(text);
    return ['http:', 'https:', 'magnet:'].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
