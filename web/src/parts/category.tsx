// The category of a job, by its label.
import { categories_of, label_of } from '../categories';
import { useLifecycles } from '../hooks';
import { Pieces } from './text';

export function CategoryName({ name }: { name: string | null | undefined }) {
  const { tables } = useLifecycles();
  if (!name) return null;
  return (
    <a
      class="category"
      href={`/jobs?category=${encodeURIComponent(name)}`}
      title="All of this category"
    >
      <Pieces text={label_of(name, categories_of(tables))} />
    </a>
  );
}
