// What /health/ready says about the store: without it haul takes no work.

// The sentence to show; null: nothing is wrong, or the answer is no health report.
export function store_trouble(body: unknown): string | null {
  if (!body || typeof body !== 'object' || !('troubles' in body)) return null;
  const troubles = body.troubles;
  if (!Array.isArray(troubles)) return null;
  for (const one of troubles as unknown[]) {
    if (!one || typeof one !== 'object') continue;
    const { part, detail } = one as { part?: unknown; detail?: unknown };
    if (part === 'store') return `haul takes no work: ${String(detail)}`;
  }
  return null;
}

export async function ask_health(): Promise<string | null> {
  try {
    const answer = await fetch('/health/ready', { cache: 'no-store' });
    return store_trouble(await answer.json());
  } catch {
    return null; // The bar says so when the server cannot be reached.
  }
}
