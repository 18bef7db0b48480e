// What every peer is measured with: the same request, the same closed loop, the same percentiles.

export const JOBS = 20_000;
export const BATCH = 1_000;
export const CLIENTS = [1, 16, 64];
export const REQUEST = { engine: 'http', folder: '/in', url: 'https://example.org/a/b/c.bin' };

const PICKUPS = 200;
const WARM_UP = 10;
const IDLE_MS = 10;
const PATIENCE_MS = 60_000;

export const seconds = () => performance.now() / 1000;
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const requests = (count) => Array.from({ length: count }, () => REQUEST);

// Which jobs have run, for clients that wait for theirs; a job may run before its client waits.
export class Done {
  #ran = new Map();
  #waiting = new Map();

  tell(id) {
    const at = seconds();
    const client = this.#waiting.get(id);
    if (!client) return this.#ran.set(id, at);
    this.#waiting.delete(id);
    client(at);
  }

  async wait(id) {
    const at = this.#ran.get(id);
    this.#ran.delete(id);
    if (at !== undefined) return at;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`job ${id} did not run`)), PATIENCE_MS);
      this.#waiting.set(id, (ran) => {
        clearTimeout(late);
        resolve(ran);
      });
    });
  }
}

// Asks until the answer is yes: for what a peer finishes without a word.
export async function until(isTrue) {
  const end = seconds() + PATIENCE_MS / 1000;
  while (!(await isTrue())) {
    if (seconds() > end) throw new Error('not finished in time');
    await pause(5);
  }
}

// Each client adds one job, waits until it has run, and adds the next. `settled` resolves when all
// that the peer still writes about them is written.
export async function clients(count, runOne, settled) {
  const jobs = count === 1 ? JOBS / 40 : JOBS / 4;  // Enough for seconds, at what they do.
  let left = jobs;
  const client = async () => {
    while (left-- > 0) await runOne();
  };
  const begun = seconds();
  await Promise.all(Array.from({ length: count }, client));
  await settled();
  return { clients: count, jobs, per_s: jobs / (seconds() - begun) };
}

// From just before a job is added until its handler begins, with nothing else to do.
export async function latency(runOne) {
  const waits = [];
  for (let i = 0; i < PICKUPS + WARM_UP; ++i) {
    await pause(IDLE_MS);
    const begun = seconds();
    const ran = await runOne();
    if (i >= WARM_UP) waits.push((ran - begun) * 1000);
  }
  waits.sort((a, b) => a - b);
  const percentile = (share) => waits[Math.max(Math.ceil(share * waits.length), 1) - 1];
  return { jobs: PICKUPS, p50_ms: percentile(0.5), p99_ms: percentile(0.99) };
}

export function lives(add_s, work_s) {
  return { jobs: JOBS, batch: BATCH, per_s: JOBS / (add_s + work_s), add_s, work_s };
}
