// The filters of the jobs page. Every choice ends in the address, so that it can be kept, sent and gone back from.
import type { Facets } from '../facets';
import { EndMark } from '../parts/icons';
import { ENDS } from '../types';

export interface Chosen {
  lifecycle: string;
  state: string;
  end: string;
  stuck: boolean;
  q: string;
  cursor: string;
}

interface Props {
  counted: Facets;
  chosen: Chosen;
  pick: (change: Partial<Chosen>) => void;
}

function Count({ n }: { n: number | null }) {
  return n === null ? null : <span class="count">{n.toLocaleString('en')}</span>;
}

export function EndTabs({ counted, stuck, chosen, pick }: Props & { stuck: number }) {
  return (
    <div class="tabs" role="group" aria-label="How it ended">
      <button
        type="button"
        aria-pressed={!chosen.end && !chosen.stuck}
        onClick={() => pick({ end: '', state: '', stuck: false })}
      >
        All <Count n={counted.total} />
      </button>
      {ENDS.map((end) => (
        <button
          key={end}
          type="button"
          aria-pressed={chosen.end === end}
          onClick={() => pick({ end: chosen.end === end ? '' : end, state: '', stuck: false })}
        >
          <EndMark end={end} />
          <span class="tab-word">{end}</span> <Count n={counted.ends[end]} />
        </button>
      ))}
      {(stuck > 0 || chosen.stuck) && (
        <button
          type="button"
          aria-pressed={chosen.stuck}
          onClick={() => pick({ stuck: !chosen.stuck, end: '', state: '' })}
        >
          stuck <Count n={stuck} />
        </button>
      )}
    </div>
  );
}

export function LifecycleFacet({ counted, chosen, pick }: Props) {
  const counts = counted.lifecycles.map((one) => one.count);
  const total = counts.includes(null) ? null : counts.reduce((sum, one) => sum! + one!, 0);
  return (
    <div class="facet" role="group" aria-label="Lifecycle">
      <h2 class="facet-title">Lifecycle</h2>
      <button
        type="button"
        class="facet-row"
        aria-pressed={!chosen.lifecycle}
        onClick={() => pick({ lifecycle: '', state: '' })}
      >
        <span class="grow">all</span>
        <Count n={total} />
      </button>
      {counted.lifecycles.map((one) => (
        <div key={one.name} class="facet-group">
          <button
            type="button"
            class={one.count === 0 ? 'facet-row none' : 'facet-row'}
            aria-pressed={chosen.lifecycle === one.name && !chosen.state}
            onClick={() =>
              pick({
                lifecycle: chosen.lifecycle === one.name && !chosen.state ? '' : one.name,
                state: '',
              })
            }
          >
            <span class="grow">{one.name}</span>
            <Count n={one.count} />
          </button>
          {chosen.lifecycle === one.name &&
            one.states
              .filter((state) => state.count !== 0 || chosen.state === state.name)
              .map((state) => (
                <button
                  key={state.name}
                  type="button"
                  class="facet-row facet-state"
                  aria-pressed={chosen.state === state.name}
                  onClick={() =>
                    pick({ state: chosen.state === state.name ? '' : state.name, stuck: false })
                  }
                >
                  <EndMark end={state.end} />
                  <span class="grow">{state.name}</span>
                  <Count n={state.count} />
                </button>
              ))}
        </div>
      ))}
    </div>
  );
}
