// The lines between placed states: which side of a box they leave and enter, and how they bend.
// Sides are named along the flow (before, after) and across it (near: where the arcs are, far).
import type { End } from './types';

export interface Point {
  x: number;
  y: number;
}
export interface Node extends Point {
  name: string;
  end: End;
  w: number;
  h: number;
  lane: number;
  rank: number;
}
export interface Pair {
  from: string;
  to: string;
  ons: string[];
}
export interface Edge extends Pair {
  path: string;
  label: Point;
  kind: 'step' | 'arc' | 'side';
  anchor: 'start' | 'middle';
}

type Side = 'before' | 'after' | 'near' | 'far';
interface Line {
  pair: Pair;
  from: Node;
  to: Node;
  out: Side;
  into: Side;
  arc: number;
  kind: Edge['kind'];
}

function line_of(pair: Pair, nodes: Node[]): Line | null {
  const from = nodes.find((node) => node.name === pair.from);
  const to = nodes.find((node) => node.name === pair.to);
  if (!from || !to || from === to) return null;
  const step = to.rank - from.rank;
  const line = { pair, from, to, arc: 0 };
  if (from.lane === 0 && to.lane === 0 && step !== 1)
    return { ...line, out: 'near', into: 'near', arc: Math.abs(step), kind: 'arc' };
  if (from.lane === to.lane)
    return {
      ...line,
      out: step > 0 ? 'after' : 'before',
      into: step > 0 ? 'before' : 'after',
      kind: 'step',
    };
  if (to.lane > from.lane) return { ...line, out: 'far', into: 'near', kind: 'side' };
  // A way back leaves at the side, so that it does not cross the lines that enter on top.
  return {
    ...line,
    out: step < 0 ? 'before' : step > 0 ? 'after' : 'near',
    into: 'far',
    kind: 'side',
  };
}

// Lines share a side of a box evenly, in the order of the positions of their other ends.
export function route(pairs: Pair[], nodes: Node[], across: boolean): Edge[] {
  const lines = pairs.flatMap((pair) => line_of(pair, nodes) ?? []);
  const ports = new Map<string, { line: Line; end: 'out' | 'into'; toward: number }[]>();
  const key = (node: Node, side: Side) => JSON.stringify([node.name, side]);
  const add = (line: Line, end: 'out' | 'into') => {
    const [node, other, side] =
      end === 'out' ? [line.from, line.to, line.out] : [line.to, line.from, line.into];
    // Arcs nest: the one from furthest away takes the outermost place.
    const toward = line.kind === 'arc' ? -other.rank : along_flow(side) ? other.lane : other.rank;
    ports.set(key(node, side), [...(ports.get(key(node, side)) ?? []), { line, end, toward }]);
  };
  for (const line of lines) {
    add(line, 'out');
    add(line, 'into');
  }
  for (const list of ports.values())
    list.sort((a, b) => a.toward - b.toward || (a.end === 'into' ? -1 : 1));
  const point = (line: Line, end: 'out' | 'into'): Point => {
    const [node, side] = end === 'out' ? [line.from, line.out] : [line.to, line.into];
    const list = ports.get(key(node, side))!;
    const index = list.findIndex((port) => port.line === line && port.end === end);
    return on_side(node, side, (index + 1) / (list.length + 1), across);
  };
  return lines.map((line) => bend(line, point(line, 'out'), point(line, 'into'), across));
}

const along_flow = (side: Side) => side === 'before' || side === 'after';
const sign = (side: Side) => (side === 'before' || side === 'near' ? -1 : 1);

function on_side(box: Node, side: Side, part: number, across: boolean): Point {
  const low = sign(side) < 0;
  if (along_flow(side) === across)
    return { x: low ? box.x : box.x + box.w, y: box.y + box.h * part };
  return { x: box.x + box.w * part, y: low ? box.y : box.y + box.h };
}

function pushed(from: Point, side: Side, reach: number, across: boolean): Point {
  const by = sign(side) * reach;
  return along_flow(side) === across
    ? { x: from.x + by, y: from.y }
    : { x: from.x, y: from.y + by };
}

function bend(line: Line, a: Point, b: Point, across: boolean): Edge {
  const reach =
    line.kind === 'arc'
      ? across
        ? 8 + 20 * line.arc
        : 14 + 18 * line.arc
      : line.kind === 'step'
        ? 20
        : across
          ? 34
          : 44;
  const c1 = pushed(a, line.out, reach, across);
  const c2 = pushed(b, line.into, reach, across);
  // The words of an arc stand near its start, where arcs are furthest apart.
  const t = line.kind === 'arc' ? 0.24 : line.kind === 'side' ? 0.4 : 0.5;
  const mix = (p0: number, p1: number, p2: number, p3: number) =>
    (1 - t) ** 3 * p0 + 3 * (1 - t) ** 2 * t * p1 + 3 * (1 - t) * t ** 2 * p2 + t ** 3 * p3;
  const at = { x: mix(a.x, c1.x, c2.x, b.x), y: mix(a.y, c1.y, c2.y, b.y) };
  const beside = line.kind === 'step' && !across;
  const n = (value: number) => String(Math.round(value * 10) / 10);
  return {
    ...line.pair,
    kind: line.kind,
    path: `M${n(a.x)} ${n(a.y)}C${n(c1.x)} ${n(c1.y)} ${n(c2.x)} ${n(c2.y)} ${n(b.x)} ${n(b.y)}`,
    label: beside ? { x: at.x + 7, y: at.y } : at,
    anchor: beside ? 'start' : 'middle',
  };
}
