// Parses pasted text line by line: the links, and what is wrong with the other lines.

export interface Line {
  n: number;
  text: string;
  url: string | null;
  wrong: string | null;
}

export const LINKS_MAX = 1000;
export const TWICE = 'already above';
const SCHEMES = ['http:', 'https:'];

function wrong_with(text: string): string | null {
  if (text.length > 8192) return 'longer than 8,192 characters';
  if (/^magnet:/i.test(text)) return 'for a magnet link, choose a lifecycle that has a uri field';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return 'not a link: it must start with http:// or https://';
  }
  if (!SCHEMES.includes(url.protocol))
    return `${url.protocol.slice(0, 32)} is not supported, only http and https`;
  return url.hostname ? null : 'has no host';
}

// A line may contain several links separated by spaces.
function words(line: string): string[] {
  const parts = line.trim().split(/\s+/).filter(Boolean);
  return parts.every((part) => /^https?:\/\//i.test(part)) ? parts : [line.trim()];
}

// Skips blank lines and comments. Reports the second of two equal links instead of adding it.
export function parse_links(pasted: string): Line[] {
  const seen = new Set<string>();
  const lines: Line[] = [];
  for (const [index, raw] of pasted.split(/\r\n|\r|\n/).entries()) {
    if (!raw.trim() || raw.trim().startsWith('#')) continue;
    for (const text of words(raw)) {
      let wrong = wrong_with(text);
      if (!wrong && seen.has(text)) wrong = TWICE;
      if (!wrong && seen.size >= LINKS_MAX)
        wrong = `haul adds at most ${LINKS_MAX.toLocaleString('en')} at once`;
      if (!wrong) seen.add(text);
      lines.push({ n: index + 1, text, url: wrong ? null : text, wrong });
    }
  }
  return lines;
}
