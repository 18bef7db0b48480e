// The filters of the jobs page. The URL contains every choice, so that users can bookmark it, send it
// and go back.
import type { Category } from '../categories';
import type { Facets } from '../facets';
import { look_of, OUTCOMES } from '../outcome';
import { EndMark } from '../parts/icons';

export interface Chosen {
  lifecycle: string;
  state: string;
  end: string;
  outcome: string;
  stuck: boolean;
  category: string;
  q: string;
  sort: string;
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

// Choosing a tab clears every other tab.
const NO_TAB = { end: '', outcome: '', state: '', stuck: false };

// Z-25: the tabs filter by how much arrived, not by the state that a job ended in.
export function OutcomeTabs({ counted, stuck, chosen, pick }: Props & { stuck: number }) {
  return (
    <div class="tabs" role="group" aria-label="How much arrived">
      <button
        type="button"
        aria-pressed={!chosen.end && !chosen.outcome && !chosen.stuck}
        onClick={() => pick(NO_TAB)}
      >
        All <Count n={counted.total} />
      </button>
      <button
        type="button"
        aria-pressed={chosen.end === 'open'}
        onClick={() => pick({ ...NO_TAB, end: chosen.end === 'open' ? '' : 'open' })}
      >
        <EndMark end="open" />
        <span class="tab-word">open</span> <Count n={counted.open} />
      </button>
      {OUTCOMES.map((outcome) => (
        <button
          key={outcome}
          type="button"
          aria-pressed={chosen.outcome === outcome}
          onClick={() => pick({ ...NO_TAB, outcome: chosen.outcome === outcome ? '' : outcome })}
        >
          <EndMark end={look_of({ end: 'bad', outcome })} />
          <span class="tab-word">{outcome}</span>
        </button>
      ))}
      {(stuck > 0 || chosen.stuck) && (
        <button
          type="button"
          aria-pressed={chosen.stuck}
          onClick={() => pick({ ...NO_TAB, stuck: !chosen.stuck })}
        >
          stuck <Count n={stuck} />
        </button>
      )}
    </div>
  );
}

// The categories of the daemon, each with its label. Not shown without any.
export function CategoryFacet({
  categories,
  chosen,
  pick,
}: Omit<Props, 'counted'> & { categories: Category[] }) {
  if (categories.length === 0 && !chosen.category) return null;
  const known = categories.some((one) => one.name === chosen.category);
  const shown =
    known || !chosen.category
      ? categories
      : [...categories, { name: chosen.category, label: chosen.category }];
  return (
    <div class="facet" role="group" aria-label="Category">
      <h2 class="facet-title">Category</h2>
      {shown.map((one) => (
        <button
          key={one.name}
          type="button"
          class="facet-row"
          aria-pressed={chosen.category === one.name}
          onClick={() => pick({ category: chosen.category === one.name ? '' : one.name })}
        >
          <span class="grow">{one.label}</span>
        </button>
      ))}
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
