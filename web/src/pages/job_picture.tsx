// Draws the job's lifecycle from its table, with the job's state highlighted and the moves it made
// marked. A text says the same for users who cannot see the picture.
import { useMemo } from 'preact/hooks';
import type { Edge, Node } from '../edges';
import { useMedia } from '../hooks';
import { draw, edge_key, way_of, type Taken } from '../layout';
import type { Job, JobEvent, Lifecycle } from '../types';

const NEVER: Taken = { times: 0, ons: [] };

export function PicturePanel({
  table,
  job,
  events,
}: {
  table: Lifecycle;
  job: Job;
  events: JobEvent[];
}) {
  const narrow = useMedia('(max-width: 700px)');
  const picture = useMemo(() => draw(table, narrow ? 'down' : 'across'), [table, narrow]);
  const way = useMemo(() => way_of(events), [events]);
  const moves = events.filter((event) => event.from && event.to);
  const first = table.states[0]?.name ?? '';
  const trail = [first, ...moves.map((event) => event.to!)];
  const visited = new Set([...trail, ...moves.map((event) => event.from!)]);
  const taken = (edge: Edge) => way.get(edge_key(edge.from, edge.to)) ?? NEVER;
  // Draws the moves that were made last, on top.
  const edges = [...picture.edges].sort((a, b) => taken(a).times - taken(b).times);
  const label = `Lifecycle ${table.name}. Now ${job.state}. States so far: ${trail.join(', ')}.`;
  return (
    <section class="panel" aria-label="Lifecycle">
      <h2 class="panel-title">
        Lifecycle <span class="muted">{table.name}</span>
      </h2>
      <div class="picture">
        <svg
          width={picture.w}
          height={picture.h}
          viewBox={`0 0 ${picture.w} ${picture.h}`}
          role="img"
          aria-label={label}
        >
          <defs>
            <marker
              id="tip"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M1 1 7 4 1 7" class="tip" />
            </marker>
            <marker
              id="tip-taken"
              viewBox="0 0 8 8"
              refX="7.5"
              refY="4"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto-start-reverse"
            >
              <path d="M0 .5 8 4 0 7.5Z" class="tip-taken" />
            </marker>
          </defs>
          {edges.map((edge) => (
            <Move key={`${edge.from} ${edge.to}`} edge={edge} taken={taken(edge)} />
          ))}
          {picture.nodes.map((node) => (
            <StateBox
              key={node.name}
              node={node}
              now={node.name === job.state}
              visited={visited.has(node.name)}
            />
          ))}
          {edges.map((edge) => (
            <Words
              key={`${edge.from} ${edge.to}`}
              edge={edge}
              taken={taken(edge)}
              narrow={narrow}
            />
          ))}
        </svg>
      </div>
    </section>
  );
}

function Move({ edge, taken }: { edge: Edge; taken: Taken }) {
  return (
    <path
      class={taken.times ? 'move taken' : 'move'}
      d={edge.path}
      marker-end={taken.times ? 'url(#tip-taken)' : 'url(#tip)'}
    >
      <title>{`${edge.from} to ${edge.to}: ${edge.ons.join(', ')}`}</title>
    </path>
  );
}

// Labels a move that was made with its causes, and any other move with all possible causes. On the
// main line the labels are above and below the line, elsewhere on it.
function Words({ edge, taken, narrow }: { edge: Edge; taken: Taken; narrow: boolean }) {
  if (narrow && edge.kind === 'arc' && !taken.times) return null; // No room beside the line.
  const ons = taken.ons.length ? taken.ons : edge.ons;
  const count = taken.times > 1 ? ` ×${taken.times}` : '';
  const step = edge.kind === 'step' && !narrow;
  const split = (step || narrow) && ons.length > 1 ? Math.ceil(ons.length / 2) : ons.length;
  const rows = [ons.slice(0, split).join(' · ') + count, ons.slice(split).join(' · ')].filter(
    Boolean,
  );
  const y = step
    ? [edge.label.y - 5, edge.label.y + 13]
    : rows.length > 1
      ? [edge.label.y - 3, edge.label.y + 10]
      : [edge.label.y + 4];
  return (
    <text class={taken.times ? 'move-word taken' : 'move-word'} text-anchor={edge.anchor}>
      {rows.map((row, index) => (
        <tspan key={row} x={edge.label.x} y={y[index]}>
          {row}
        </tspan>
      ))}
    </text>
  );
}

function StateBox({ node, now, visited }: { node: Node; now: boolean; visited: boolean }) {
  const kind = now ? 'now' : visited ? 'visited' : 'ahead';
  return (
    <g
      class={`node end-${node.end} ${kind}`}
      data-state={node.name}
      data-now={now ? 'true' : undefined}
    >
      <rect
        x={node.x}
        y={node.y}
        width={node.w}
        height={node.h}
        rx={node.end === 'open' ? 6 : 15}
      />
      <text x={node.x + node.w / 2} y={node.y + node.h / 2 + 4} text-anchor="middle">
        {node.name}
      </text>
    </g>
  );
}
