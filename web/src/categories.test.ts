import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categories_of, label_of } from './categories';
import { errand, named } from './testing';
import type { Lifecycle } from './types';

const with_labels = (table: Lifecycle): Lifecycle => ({
  ...table,
  request: [
    ...table.request,
    {
      name: 'shelf',
      type: 'string',
      required: false,
      about: '',
      values: ['films', 'b'],
      labels: ['Films', 'B'],
    },
  ],
});

test('categories are the choices that have labels, whatever the field is called', () => {
  assert.deepEqual(categories_of([with_labels(errand)]), [
    { name: 'films', label: 'Films' },
    { name: 'b', label: 'B' },
  ]);
  assert.deepEqual(categories_of([errand, named('batch')]), []);
});

test('a category that is configured no more is called by its name', () => {
  const known = categories_of([with_labels(errand)]);
  assert.equal(label_of('films', known), 'Films');
  assert.equal(label_of('gone', known), 'gone');
});
