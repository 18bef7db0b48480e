// The categories of the daemon. Forms have them as the choices of one field; its labels are what
// people call them.
import type { Lifecycle } from './types';

export interface Category {
  name: string;
  label: string;
}

// Choices with labels are categories: a table itself gives its values no labels.
export function categories_of(tables: Lifecycle[]): Category[] {
  const all = new Map<string, string>();
  for (const table of tables)
    for (const field of table.request)
      if (field.labels?.length)
        field.values.forEach((name, index) => all.set(name, field.labels![index] ?? name));
  return [...all].map(([name, label]) => ({ name, label }));
}

export function label_of(name: string, categories: Category[]): string {
  return categories.find((one) => one.name === name)?.label ?? name;
}
