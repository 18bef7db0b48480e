// Add jobs: paste links, or fill in the form of a lifecycle.
import { setup_of, takes_links } from '../form';
import { useTitle, useLifecycles } from '../hooks';
import { Notice } from '../parts/small';
import { Pieces } from '../parts/text';
import { go } from '../route';
import { LifecycleForm } from './add_form';
import { LinksForm } from './add_links';

export function AddPage({ search }: { search: string }) {
  useTitle('Add');
  const { tables, error } = useLifecycles();
  const params = new URLSearchParams(search);
  const as = params.get('as') ?? '';
  const forms = tables.filter((table) => table.request.length);
  const table = forms.find((one) => one.name === as);
  const pick = (name: string) =>
    go(name ? `/add?as=${encodeURIComponent(name)}` : '/add', 'replace');
  return (
    <div class="add">
      <h1>Add</h1>
      <div class="segments scroll" role="group" aria-label="What to add">
        <button type="button" aria-pressed={!table} onClick={() => pick('')}>
          Links
        </button>
        {forms.map((one) => (
          <button
            key={one.name}
            type="button"
            aria-pressed={table === one}
            class={setup_of(one) ? 'unready' : ''}
            title={setup_of(one)}
            onClick={() => pick(one.name)}
          >
            {one.name}
          </button>
        ))}
      </div>
      {error && <Notice tone="bad">{error}</Notice>}
      {table && setup_of(table) && (
        <Notice>
          <span>
            <Pieces text={setup_of(table)} />
          </span>
        </Notice>
      )}
      {table ? (
        <LifecycleForm key={search} table={table} given={params} />
      ) : (
        <LinksForm table={forms.find(takes_links)} />
      )}
    </div>
  );
}
