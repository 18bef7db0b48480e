// The job's own lifecycle as a picture: drawn from its table, the state it is in lit, the moves it
// made marked. The same is said in words for those who do not see it.
import { useMemo } from 'preact/hooks';
import { useMedia } from '../hooks';
import { draw, way_of, type Edge, type Node } from '../layout';
import type { Job, JobEvent, Lifecycle } from '../types';

export function PicturePanel({ table, job, events }: { table: Lifecycle; job: Job; events: JobEvent[] }) {
  const narrow = useMedia('(max-width: 700px)');
  const picture = useMemo(() => draw(table, narrow ? 'down' : 'across'), [table, narrow]);
  const way = useMemo(() => way_of(events), [events]);
  const moves = events.filter((event) => event.from && event.to);
  const visited = new Set(moves.flatMap((event) => [event.from!, event.to!]).concat(table.states[0]?.name ?? []));
  const trail = [table.states[0]?.name ?? '', ...moves.map((event) => event.to!)];
  const taken = (edge: Edge) => way.get(`${edge.from}\u0000${edge.to}`) ?? 0;
  const edges = [...picture.edges].sort((a, b) => taken(a) - taken(b));
  const label = `Lifecycle ${table.name}. Now ${job.state}. Came by ${trail.join(', ')}.`;
  return (
    <section class="panel" aria-label="Lifecycle">
      <h2 class="panel-title">Lifecycle <span class="muted">{table.name}</span></h2>
      <div class="picture">
        <svg width={picture.w} height={picture.h} viewBox={`0 0 ${picture.w} ${picture.h}`} role="img" aria-label={label}>
          <defs>
            <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M1 1 7 4 1 7" class="tip" /></marker>
            <marker id="tip-taken" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 .5 8 4 0 7.500Z" class="tip-taken" /></marker>
          </defs>
          {edges.map((edge) => <Move key={`${edge.from} ${edge.to}`} edge={edge} times={taken(edge)} />)}
          {picture.nodes.map((node) => <StateBox key={node.name} node={node} now={node.name === job.state} visited={visited.has(node.name)} />)}
          {edges.map((edge) => <Word key={`${edge.from} ${edge.to}`} edge={edge} times={taken(edge)} />)}
        </svg>
      </div>
    </section>
  );
}

function Move({ edge, times }: { edge: Edge; times: number }) {
  return <path class={times ? 'move taken' : 'move'} d={edge.path} marker-end={times ? 'url(#tip-taken)' : 'url(#tip)'} />;
}

function Word({ edge, times }: { edge: Edge; times: number }) {
  return (
    <text class={times ? 'move-word taken' : 'move-word'} x={edge.label.x} y={edge.label.y} text-anchor={edge.anchor}>
      {edge.ons.join(' · ')}{times > 1 ? ` ×${times}` : ''}
    </text>
  );
}

function StateBox({ node, now, visited }: { node: Node; now: boolean; visited: boolean }) {
  const kind = now ? 'now' : visited ? 'visited' : 'ahead';
  return (
    <g class={`node end-${node.end} ${kind}`} data-state={node.name} data-now={now ? 'true' : undefined}>
      <rect x={node.x} y={node.y} width={node.w} height={node.h} rx={node.end === 'open' ? 6 : 15} />
      <text x={node.x + node.w / 2} y={node.y + node.h / 2 + 4} text-anchor="middle">{node.name}</text>
    </g>
  );
}
