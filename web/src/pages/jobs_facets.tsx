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

const count = (n: number) => n.toLocaleString('en');

export function EndTabs({ counted, stuck, chosen, pick }: Props & { stuck: number }) {
  return (
    <div class="tabs" role="group" aria-label="How it ended">
      <button type="button" aria-pressed={!chosen.end && !chosen.stuck} onClick={() => pick({ end: '', state: '', stuck: false })}>
        All <span class="count">{count(counted.total)}</span>
      </button>
      {ENDS.map((end) => (
        <button key={end} type="button" aria-pressed={chosen.end === end} onClick={() => pick({ end: chosen.end === end ? '' : end, state: '', stuck: false })}>
          <EndMark end={end} /><span class="tab-word">{end}</span> <span class="count">{count(counted.ends[end])}</span>
        </button>
      ))}
      {(stuck > 0 || chosen.stuck) && (
        <button type="button" aria-pressed={chosen.stuck} onClick={() => pick({ stuck: !chosen.stuck, end: '', state: '' })}>
          stuck <span class="count">{count(stuck)}</span>
        </button>
      )}
    </div>
  );
}

export function LifecycleFacet({ counted, chosen, pick }: Props) {
  const total = counted.lifecycles.reduce((sum, one) => sum + one.count, 0);
  return (
    <div class="facet" role="group" aria-label="Lifecycle">
      <h2 class="facet-title">Lifecycle</h2>
      <button type="button" class="facet-row" aria-pressed={!chosen.lifecycle} onClick={() => pick({ lifecycle: '', state: '' })}>
        <span class="grow">all</span><span class="count">{count(total)}</span>
      </button>
      {counted.lifecycles.map((one) => (
        <div key={one.name} class="facet-group">
          <button type="button" class={one.count ? 'facet-row' : 'facet-row none'} aria-pressed={chosen.lifecycle === one.name && !chosen.state}
            onClick={() => pick({ lifecycle: chosen.lifecycle === one.name && !chosen.state ? '' : one.name, state: '' })}>
            <span class="grow">{one.name}</span><span class="count">{count(one.count)}</span>
          </button>
          {chosen.lifecycle === one.name && one.states.map((state) => (
            <button key={state.name} type="button" class="facet-row facet-state" aria-pressed={chosen.state === state.name}
              onClick={() => pick({ state: chosen.state === state.name ? '' : state.name, stuck: false })}>
              <EndMark end={state.end} /><span class="grow">{state.name}</span><span class="count">{count(state.count)}</span>
            </button>
          ))}
        </div>
      ))}
    </div>
  );
}
