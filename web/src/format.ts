// Numbers and times as text.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export function bytes(count: number): string {
  let value = Math.max(0, count);
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  // 1023.99 must not round up to four digits of the smaller unit.
  if (unit < UNITS.length - 1 && unit > 0 && value >= 1023.5) {
    value = 1;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600)
    return s < 600 && s % 60
      ? `${Math.floor(s / 60)} min ${s % 60} s`
      : `${Math.round(s / 60)} min`;
  if (s < 172_800) {
    const h = Math.floor(s / 3600);
    const min = Math.floor((s % 3600) / 60);
    return min && h < 10 ? `${h} h ${min} min` : `${h} h`;
  }
  return `${Math.floor(s / 86_400)} days`;
}

export function ago(iso: string, now_ms: number): string {
  const s = Math.floor((now_ms - Date.parse(iso)) / 1000);
  if (!Number.isFinite(s)) return iso;
  if (s < -1) return `in ${short(-s)}`;
  return s < 5 ? 'just now' : `${short(s)} ago`;
}

// One unit only, for narrow places.
export function short(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  if (s < 172_800) return `${Math.floor(s / 3600)} h`;
  return `${Math.floor(s / 86_400)} d`;
}

const two = (n: number) => String(n).padStart(2, '0');

// Local time, to the second, always in the same order and width.
export function clock(iso: string): string {
  const t = new Date(iso);
  if (Number.isNaN(t.getTime())) return iso;
  return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`;
}

// A speed limit and its end: "2 MiB/s until 18:00". Empty if there is none, nor will be.
export function limit_text(
  limit: { bytes_per_second: number | null; until: string | null },
  now_ms: number,
): string {
  if (limit.bytes_per_second === null && limit.until === null) return '';
  const rate =
    limit.bytes_per_second === null
      ? 'No speed limit'
      : `At most ${bytes(limit.bytes_per_second)}/s`;
  if (limit.until === null) return rate;
  const end = clock(limit.until);
  const is_today = end.slice(0, 10) === clock(new Date(now_ms).toISOString()).slice(0, 10);
  return `${rate} until ${end.slice(is_today ? 11 : 0, 16)}`;
}

export function share(have: number, size: number | null): number | null {
  if (!size || size <= 0) return null;
  return Math.min(1, Math.max(0, have / size));
}

// Rounds down: only the whole is 100 %, 99.6 % is not.
export function percent(part: number): string {
  return `${part >= 1 ? 100 : Math.min(99, Math.floor(part * 100))} %`;
}

// "Cancel" of "cancel".
export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
