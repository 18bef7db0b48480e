// Places a lifecycle's states and moves on a plane: the way to the good end is one straight line,
// what goes wrong lies beside it. Pure; the picture draws what this says.
import type { End, Lifecycle } from './types';

export type Flow = 'across' | 'down';
export interface Point { x: number; y: number }
export interface Node extends Point { name: string; end: End; w: number; h: number }
export interface Edge { from: string; to: string; ons: string[]; path: string; label: Point; anchor: 'start' | 'middle' | 'end' }
export interface Picture { w: number; h: number; nodes: Node[]; edges: Edge[] }

type Side = 'before' | 'after' | 'near' | 'far'; // Along the flow: before, after; across it: near, far.
interface Cell { name: string; end: End; rank: number; lane: number }
interface Link { from: Cell; to: Cell; ons: string[]; out: Side; in: Side; arc: number }

const froms = (from: string | string[]) => (Array.isArray(from) ? from : [from]);

function pairs(table: Lifecycle): { from: string; to: string; ons: string[] }[] {
  const found = new Map<string, { from: string; to: string; ons: string[] }>();
  for (const move of table.moves)
    for (const from of froms(move.from)) {
      const key = JSON.stringify([from, move.to]);
      const edge = found.get(key) ?? { from, to: move.to, ons: [] };
      if (!edge.ons.includes(move.on)) edge.ons.push(move.on);
      found.set(key, edge);
    }
  return [...found.values()];
}

// The longest way from the first state to a good end without meeting a state twice. Tables are
// small, but the search is bounded all the same.
export function main_way(table: Lifecycle): string[] {
  const start = table.states[0]?.name;
  if (!start) return [];
  const good = new Set(table.states.filter((state) => state.end === 'good').map((state) => state.name));
  const edges = pairs(table);
  let best: string[] = [start];
  let steps = 0;
  const walk = (way: string[]) => {
    if (++steps > 20_000) return;
    const last = way[way.length - 1]!;
    const reaches = good.has(last);
    const best_reaches = good.has(best[best.length - 1]!);
    if ((reaches && !best_reaches) || (reaches === best_reaches && way.length > best.length)) best = way;
    if (reaches) return;
    for (const edge of edges) if (edge.from === last && !way.includes(edge.to)) walk([...way, edge.to]);
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
    const ready = waiting.filter((state) => edges.some((edge) => edge.to === state.name && cells.has(edge.from)));
    for (const state of ready.length ? ready : waiting) {
      const sources = edges.filter((edge) => edge.to === state.name).flatMap((edge) => cells.get(edge.from) ?? []);
      const beside = sources.length > 0 && sources.every((cell) => cell.lane > 0);
      const mean = sources.reduce((sum, cell) => sum + cell.rank, 0) / Math.max(1, sources.length);
      cells.set(state.name, { name: state.name, end: state.end, rank: mean + (beside ? 1 : 0), lane: 1 });
    }
    waiting = waiting.filter((state) => !cells.has(state.name));
  }
  spread([...cells.values()].filter((cell) => cell.lane === 1), Math.max(2, way.length - 1));
  return [...cells.values()];
}

// Side states keep a whole rank between them; those that do not fit go one lane further out.
function spread(side: Cell[], last_rank: number): void {
  const sorted = [...side].sort((a, b) => a.rank - b.rank);
  const ends = new Map<number, number>(); // lane → last rank taken
  for (const cell of sorted) {
    for (let lane = 1; ; ++lane) {
      const rank = Math.max(cell.rank, (ends.get(lane) ?? -1) + 1);
      if (rank > last_rank && rank > cell.rank + 1.5 && lane < 4) continue;
      cell.rank = rank;
      cell.lane = lane;
      ends.set(lane, rank);
      break;
    }
  }
}

function link(edge: { from: string; to: string; ons: string[] }, cells: Cell[]): Link | null {
  const from = cells.find((cell) => cell.name === edge.from);
  const to = cells.find((cell) => cell.name === edge.to);
  if (!from || !to || from === to) return null;
  const step = to.rank - from.rank;
  if (from.lane === 0 && to.lane === 0) {
    if (step === 1) return { from, to, ons: edge.ons, out: 'after', in: 'before', arc: 0 };
    return { from, to, ons: edge.ons, out: 'near', in: 'near', arc: Math.abs(step) };
  }
  if (from.lane === to.lane)
    return { from, to, ons: edge.ons, out: step > 0 ? 'after' : 'before', in: step > 0 ? 'before' : 'after', arc: 0 };
  const outward = to.lane > from.lane;
  return { from, to, ons: edge.ons, out: outward ? 'far' : 'near', in: outward ? 'near' : 'far', arc: 0 };
}

const H = 30;
const PAD = 6;

export function draw(table: Lifecycle, flow: Flow): Picture {
  const cells = place(table);
  const links = pairs(table).flatMap((edge) => link(edge, cells) ?? []);
  const longest = Math.max(6, ...cells.map((cell) => cell.name.length));
  const w = Math.round(longest * 7.4 + 34);
  const across = flow === 'across';
  const arcs = Math.max(0, ...links.map((one) => one.arc));
  const room = arcs ? 22 + 12 * arcs : 0; // For arcs over the main line.
  const gap_rank = across ? w + 62 : H + 38;
  const gap_lane = across ? H + 58 : w + 34;
  const before_lane = across ? PAD + room : PAD + (arcs ? 34 + 9 * arcs : 0);
  const spot = (cell: Cell): Node => {
    const along = PAD + cell.rank * gap_rank;
    const beside = before_lane + cell.lane * gap_lane;
    return { name: cell.name, end: cell.end, w, h: H, ...(across ? { x: along, y: beside } : { x: beside, y: along }) };
  };
  const nodes = cells.map(spot);
  const node = (cell: Cell) => nodes[cells.indexOf(cell)]!;
  const edges = route(links, node, across);
  return {
    w: Math.ceil(Math.max(...nodes.map((one) => one.x + one.w)) + PAD),
    h: Math.ceil(Math.max(...nodes.map((one) => one.y + one.h)) + PAD),
    nodes,
    edges,
  };
}

interface Port { link: Link; at: 'out' | 'in'; toward: number }

// Ends of edges share a side of a node evenly, in the order of where they come from.
function route(links: Link[], node: (cell: Cell) => Node, across: boolean): Edge[] {
  const ports = new Map<string, Port[]>();
  const add = (one: Link, at: 'out' | 'in') => {
    const cell = at === 'out' ? one.from : one.to;
    const other = at === 'out' ? one.to : one.from;
    const side = at === 'out' ? one.out : one.in;
    const key = `${cell.name}\u0000${side}`;
    const toward = side === 'before' || side === 'after' ? other.lane : other.rank;
    ports.set(key, [...(ports.get(key) ?? []), { link: one, at, toward }]);
  };
  for (const one of links) {
    add(one, 'out');
    add(one, 'in');
  }
  for (const list of ports.values()) list.sort((a, b) => a.toward - b.toward || (a.at === 'in' ? -1 : 1));
  const end = (one: Link, at: 'out' | 'in'): Point => {
    const cell = at === 'out' ? one.from : one.to;
    const side = at === 'out' ? one.out : one.in;
    const list = ports.get(`${cell.name}\u0000${side}`)!;
    const index = list.findIndex((port) => port.link === one && port.at === at);
    return on_side(node(cell), side, (index + 1) / (list.length + 1), across);
  };
  return links.map((one) => curve(one, end(one, 'out'), end(one, 'in'), across));
}

function on_side(box: Node, side: Side, part: number, across: boolean): Point {
  const along = side === 'before' || side === 'after';
  if (across === along) return { x: side === 'before' || side === 'near' ? box.x : box.x + box.w, y: box.y + box.h * part };
  return { x: box.x + box.w * part, y: side === 'before' || side === 'near' ? box.y : box.y + box.h };
}

function curve(one: Link, a: Point, b: Point, across: boolean): Edge {
  const straight = one.out === 'after' || one.out === 'before';
  const lift = one.arc ? 14 + 12 * one.arc : 0;
  const out = one.out === 'near' || one.out === 'before' ? -1 : 1;
  const into = one.in === 'near' || one.in === 'before' ? -1 : 1;
  const reach = straight ? 24 : lift || (across ? 30 : 34);
  const along = straight === across; // The curve leaves along x.
  const c1 = along ? { x: a.x + out * reach, y: a.y } : { x: a.x, y: a.y + out * reach };
  const c2 = along ? { x: b.x + into * reach, y: b.y } : { x: b.x, y: b.y + into * reach };
  const n = (value: number) => value.toFixed(1);
  const t = one.arc || straight ? 0.5 : 0.42;
  const mix = (p0: number, p1: number, p2: number, p3: number) =>
    (1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t ** 2 * p2 + t ** 3 * p3;
  const label = { x: mix(a.x, c1.x, c2.x, b.x), y: mix(a.y, c1.y, c2.y, b.y) };
  return {
    from: one.from.name,
    to: one.to.name,
    ons: one.ons,
    path: `M${n(a.x)} ${n(a.y)}C${n(c1.x)} ${n(c1.y)} ${n(c2.x)} ${n(c2.y)} ${n(b.x)} ${n(b.y)}`,
    label: straight && across ? { x: label.x, y: label.y - 6 } : label,
    anchor: 'middle',
  };
}

// The moves that were made, from the job's events: pairs as `from\0to`, with how often.
export function way_of(events: { type: string; from: string | null; to: string | null }[]): Map<string, number> {
  const way = new Map<string, number>();
  for (const event of events) {
    if (!event.from || !event.to || event.from === event.to) continue;
    const key = `${event.from}\u0000${event.to}`;
    way.set(key, (way.get(key) ?? 0) + 1);
  }
  return way;
}
