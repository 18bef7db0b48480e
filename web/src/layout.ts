// Places a lifecycle's states and moves on a plane: the path to the good end is one straight line,
// and failures lie beside it. Pure functions; job_picture draws the result.
import { route, type Edge, type Node, type Pair } from './edges';
import type { End, Lifecycle } from './types';

export type Flow = 'across' | 'down';
export interface Picture {
  w: number;
  h: number;
  nodes: Node[];
  edges: Edge[];
}

interface Cell {
  name: string;
  end: End;
  rank: number;
  lane: number;
}

function pairs(table: Lifecycle): Pair[] {
  const found = new Map<string, Pair>();
  for (const { from, to, on } of table.moves) {
    const key = edge_key(from, to);
    const edge = found.get(key) ?? { from, to, ons: [] };
    if (!edge.ons.includes(on)) edge.ons.push(on);
    found.set(key, edge);
  }
  return [...found.values()];
}

// The longest path from the first state to a good end that visits no state twice. Tables are small,
// but the search is bounded anyway.
export function main_way(table: Lifecycle): string[] {
  const start = table.states[0]?.name;
  if (!start) return [];
  const good = new Set(
    table.states.filter((state) => state.end === 'good').map((state) => state.name),
  );
  const edges = pairs(table);
  let best: string[] = [start];
  let steps = 0;
  const walk = (way: string[]) => {
    if (++steps > 20_000) return;
    const last = way[way.length - 1]!;
    const reaches = good.has(last);
    const best_reaches = good.has(best[best.length - 1]!);
    if ((reaches && !best_reaches) || (reaches === best_reaches && way.length > best.length))
      best = way;
    if (reaches) return;
    for (const edge of edges)
      if (edge.from === last && !way.includes(edge.to)) walk([...way, edge.to]);
  };
  walk([start]);
  return best;
}

function place(table: Lifecycle): Cell[] {
  const way = main_way(table);
  const cells = new Map<string, Cell>();
  const end_of = (name: string) => table.states.find((state) => state.name === name)?.end ?? 'open';
  way.forEach((name, rank) => cells.set(name, { name, end: end_of(name), rank, lane: 0 }));
  const edges = pairs(table);
  let waiting = table.states.filter((state) => !cells.has(state.name));
  for (let round = 0; waiting.length && round <= table.states.length; ++round) {
    const ready = waiting.filter((state) =>
      edges.some((edge) => edge.to === state.name && cells.has(edge.from)),
    );
    for (const state of ready.length ? ready : waiting) {
      const sources = edges
        .filter((edge) => edge.to === state.name)
        .flatMap((edge) => cells.get(edge.from) ?? []);
      const beside = sources.length > 0 && sources.every((cell) => cell.lane > 0);
      const mean = sources.reduce((sum, cell) => sum + cell.rank, 0) / Math.max(1, sources.length);
      cells.set(state.name, {
        name: state.name,
        end: state.end,
        rank: mean + (beside ? 1 : 0),
        lane: 1,
      });
    }
    waiting = waiting.filter((state) => !cells.has(state.name));
  }
  spread(
    [...cells.values()].filter((cell) => cell.lane === 1),
    Math.max(2, way.length - 1),
  );
  return [...cells.values()];
}

// Side states keep a whole rank between them. Open states are placed first, because more moves lead
// through them. A state that finds no room near its own rank goes one lane further out.
function spread(side: Cell[], last_rank: number): void {
  const sorted = [...side].sort(
    (a, b) => Number(b.end === 'open') - Number(a.end === 'open') || a.rank - b.rank,
  );
  const taken: { rank: number; lane: number }[] = [];
  const fits = (rank: number, lane: number) =>
    rank >= 0 &&
    rank <= last_rank &&
    taken.every((one) => one.lane !== lane || Math.abs(one.rank - rank) >= 1);
  for (const cell of sorted) {
    const ideal = cell.rank;
    const tries = [0, -0.5, 0.5, -1, 1, -1.5, 1.5].map((shift) => ideal + shift);
    let lane = 1;
    let rank = tries.find((one) => fits(one, 1));
    while (rank === undefined && ++lane < 8) rank = tries.find((one) => fits(one, lane));
    cell.rank = rank ?? ideal;
    cell.lane = lane;
    taken.push({ rank: cell.rank, lane });
  }
}

const H = 30;
const PAD = 6;
const LETTER = 6; // Pixels per letter of a move's name.

// The gap after a rank of the main line: the names of its move fit in.
function gap_after(rank: number, cells: Cell[], edges: Pair[]): number {
  const at = (one: number) => cells.find((cell) => cell.lane === 0 && cell.rank === one)?.name;
  const edge = edges.find((one) => one.from === at(rank) && one.to === at(rank + 1));
  const letters = Math.max(0, ...(edge?.ons ?? []).map((on) => on.length));
  return Math.max(56, letters * LETTER + 40);
}

export function draw(table: Lifecycle, flow: Flow): Picture {
  const cells = place(table);
  const edges = pairs(table);
  const across = flow === 'across';
  const longest = Math.max(6, ...cells.map((cell) => cell.name.length));
  const w = Math.round(longest * 7.6 + 32);
  const ranks = Math.ceil(Math.max(0, ...cells.map((cell) => cell.rank))) + 2;
  const starts: number[] = [PAD];
  for (let rank = 0; rank < ranks; ++rank)
    starts.push(starts[rank]! + (across ? w + gap_after(rank, cells, edges) : H + 40));
  const along = (rank: number) => {
    const low = Math.floor(rank);
    return starts[low]! + (rank - low) * (starts[low + 1]! - starts[low]!);
  };
  const arcs = Math.max(0, ...edges.map((edge) => arc_of(edge, cells)));
  const room = PAD + (arcs ? (across ? 14 + 16 * arcs : 26 + 14 * arcs) : 0);
  const gap_lane = across ? H + 56 : w + 80;
  const nodes = cells.map((cell): Node => {
    const beside = room + cell.lane * gap_lane;
    return {
      name: cell.name,
      end: cell.end,
      w,
      h: H,
      lane: cell.lane,
      rank: cell.rank,
      ...(across ? { x: along(cell.rank), y: beside } : { x: beside, y: along(cell.rank) }),
    };
  });
  return {
    w: Math.ceil(Math.max(...nodes.map((node) => node.x + node.w)) + PAD),
    h: Math.ceil(Math.max(...nodes.map((node) => node.y + node.h)) + PAD),
    nodes,
    edges: route(edges, nodes, across),
  };
}

// How many ranks an edge within the main line skips or goes back; 0 for a normal step.
function arc_of(edge: Pair, cells: Cell[]): number {
  const from = cells.find((cell) => cell.name === edge.from);
  const to = cells.find((cell) => cell.name === edge.to);
  if (!from || !to || from.lane !== 0 || to.lane !== 0 || to.rank - from.rank === 1) return 0;
  return Math.abs(to.rank - from.rank);
}

export interface Taken {
  times: number;
  ons: string[];
}
export const edge_key = (from: string, to: string) => JSON.stringify([from, to]);

// The moves that the job made, from its events: how often each, and by what.
export function way_of(
  events: { from: string | null; to: string | null; on: string | null }[],
): Map<string, Taken> {
  const way = new Map<string, Taken>();
  for (const event of events) {
    if (!event.from || !event.to || event.from === event.to) continue;
    const key = edge_key(event.from, event.to);
    const taken = way.get(key) ?? { times: 0, ons: [] };
    taken.times += 1;
    if (event.on && !taken.ons.includes(event.on)) taken.ons.push(event.on);
    way.set(key, taken);
  }
  return way;
}
