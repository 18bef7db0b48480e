// Reads from /health/ready whether the store works. Without it haul accepts no work.

// That route needs no login, so it returns only codes. The sentences are here.
const WORDS = new Map([
  ['disk_full', 'The disk of the store is full: free some space. haul then continues by itself.'],
  ['store_busy', 'haul cannot write to its store. It continues by itself when it can.'],
]);

// The sentence to show. Null if nothing is wrong or the body is not a health report.
export function store_trouble(body: unknown): string | null {
  if (!body || typeof body !== 'object' || !('troubles' in body)) return null;
  const troubles = body.troubles;
  if (!Array.isArray(troubles)) return null;
  for (const one of troubles as unknown[]) {
    if (!one || typeof one !== 'object') continue;
    const { part, code } = one as { part?: unknown; code?: unknown };
    if (part !== 'store') continue;
    const why = WORDS.get(String(code)) ?? 'The log says what is wrong with the store.';
    return `haul accepts no work. ${why}`;
  }
  return null;
}

export async function ask_health(): Promise<string | null> {
  try {
    const answer = await fetch('/health/ready', { cache: 'no-store' });
    return store_trouble(await answer.json());
  } catch {
    return null; // The bar reports an unreachable server.
  }
}
