// Tells live workers from silent ones. A daemon that was killed leaves its worker in the list for a
// minute. Heartbeats are compared as the daemon does: by their counter, not by a clock.
import type { Worker } from './types';

// The default lease of a lifecycle. The API does not return leases.
export const LEASE_MS = 8_000;

interface Heard {
  beat: number;
  at_ms: number; // When the page first saw this beat, by its own clock.
  late: boolean; // Already far behind the other workers when the page first saw it.
}

export interface Workers {
  live: Worker[];
  silent: Worker[];
  heard: ReadonlyMap<number, Heard>; // By worker.
}

export const NO_WORKERS: Workers = { live: [], silent: [], heard: new Map() };

// The workers as of one answer of the server. `before` is the result of the answer before it.
export function listen(before: Workers, workers: Worker[], now_ms: number): Workers {
  const newest = Math.max(...workers.map((worker) => Date.parse(worker.beat_at)));
  const heard = new Map(
    workers.map((worker): [number, Heard] => {
      const was = before.heard.get(worker.id);
      if (was && was.beat === worker.beat) return [worker.id, was];
      const late = !was && newest - Date.parse(worker.beat_at) > LEASE_MS;
      return [worker.id, { beat: worker.beat, at_ms: now_ms, late }];
    }),
  );
  const is_silent = (worker: Worker) => {
    const { at_ms, late } = heard.get(worker.id)!;
    return late || now_ms - at_ms > LEASE_MS;
  };
  return {
    live: workers.filter((worker) => !is_silent(worker)),
    silent: workers.filter(is_silent),
    heard,
  };
}
