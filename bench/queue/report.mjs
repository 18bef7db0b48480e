// Medians and ratios out of what run.sh measured, as the tables of docs/BENCHMARKS.md. A ratio is
// the median of the ratios of each round, because only what ran side by side can be compared.

import { readFileSync } from 'node:fs';

const lines = readFileSync(process.argv[2], 'utf8').trim().split('\n')
  .map((line) => JSON.parse(line));
const rounds = Math.max(...lines.map((line) => line.round));
const names = { haul: 'haul', graphile: 'graphile-worker', pgboss: 'pg-boss', bullmq: 'BullMQ' };

const livesOf = (jobs, batch) => ({ lives }) =>
  lives.find((row) => row.jobs === jobs && row.batch === batch)?.per_s;
const clientsOf = (count) => ({ clients }) => clients.find((row) => row.clients === count)?.per_s;
const pickup = (field) => ({ latency }) => latency[0]?.[field];

// One value a round; rounds in which it was not measured are left out.
function values(system, pick) {
  const found = new Map();
  for (const { round, system: whose, result } of lines) {
    const value = whose === system ? pick(result) : undefined;
    if (value !== undefined) found.set(round, value);
  }
  return found;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function shown(number) {
  if (Number.isNaN(number)) return '–';
  return number >= 100 ? Math.round(number).toLocaleString('en-US') : number.toFixed(2);
}

function spread(numbers) {
  const all = [...numbers];
  return `${shown(median(all))} [${shown(Math.min(...all))}–${shown(Math.max(...all))}]`;
}

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);

console.log(`Medians of ${rounds} rounds [min–max].\n`);
row(['', ...Object.values(names)]);
row(['---', ...Object.keys(names).map(() => '---')]);
for (const [what, pick] of [
  ['full lives/s, 20,000 jobs in batches of 1,000', livesOf(20_000, 1_000)],
  ['lives/s, 1 single-job client', clientsOf(1)],
  ['lives/s, 16 single-job clients', clientsOf(16)],
  ['lives/s, 64 single-job clients', clientsOf(64)],
  ['idle pickup, p50 ms', pickup('p50_ms')],
  ['idle pickup, p99 ms', pickup('p99_ms')],
]) {
  const cells = Object.keys(names).map((system) => [...values(system, pick).values()]);
  if (cells.flat().length === 0) continue;  // Another part than was asked for.
  row([what, ...cells.map((cell) => (cell.length ? spread(cell) : '–'))]);
}

console.log('\nhaul alone:\n');
row(['full lives/s', 'batches of 1', 'of 100', 'of 1,000']);
row(['---', '---', '---', '---']);
for (const jobs of [20_000, 500_000]) {
  const cells = [1, 100, 1_000].map((batch) => [...values('haul', livesOf(jobs, batch)).values()]);
  if (cells.flat().length === 0) continue;
  row([`${jobs.toLocaleString('en-US')} jobs`,
    ...cells.map((cell) => (cell.length ? spread(cell) : '–'))]);
}

console.log('');
row(['haul ÷ peer, round by round', 'peer', 'ratio [min–max]', 'wanted', '']);
row(['---', '---', '---', '---', '---']);
for (const [what, system, pick, sign, limit] of [
  ['full lives/s', 'graphile', livesOf(20_000, 1_000), '≥', 1.0],
  ['full lives/s', 'pgboss', livesOf(20_000, 1_000), '≥', 1.3],
  ['full lives/s', 'bullmq', livesOf(20_000, 1_000), '≥', 2.0],
  ['lives/s, 64 single-job clients', 'graphile', clientsOf(64), '≥', 2.0],
  ['idle pickup, p50', 'graphile', pickup('p50_ms'), '≤', 0.3],
]) {
  const ours = values('haul', pick);
  const theirs = values(system, pick);
  const ratios = [...ours.keys()].filter((round) => theirs.has(round))
    .map((round) => ours.get(round) / theirs.get(round));
  if (ratios.length === 0) continue;
  const isMet = (ratio) => (sign === '≥' ? ratio >= limit : ratio <= limit);
  const isClear = ratios.every(isMet) || !ratios.some(isMet);
  row([what, names[system], spread(ratios), `${sign} ${limit.toFixed(1)}`,
    (isMet(median(ratios)) ? 'met' : 'missed') + (isClear ? '' : '; rounds straddle it')]);
}
