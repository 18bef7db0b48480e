import assert from 'node:assert/strict';
import { test } from 'node:test';
import { control_of, errors_of, request_of } from './form';
import type { Field } from './types';

const field = (name: string, type: string, more: Partial<Field> = {}): Field => ({
  name,
  type,
  required: false,
  ...more,
});

test('each type of field has its control', () => {
  assert.equal(control_of(field('engine', 'text', { values: ['a'] })), 'choice');
  assert.equal(control_of(field('urls', 'url[]')), 'list');
  assert.equal(control_of(field('discover', 'boolean')), 'check');
  assert.equal(control_of(field('year', 'integer')), 'number');
  assert.equal(control_of(field('filters', 'object')), 'json');
  assert.equal(control_of(field('cookies', 'text', { secret: true })), 'secret');
  assert.equal(control_of(field('prompt', 'text')), 'area');
  assert.equal(control_of(field('title', 'something new')), 'text');
});

test('a request holds what was filled in, in its own types', () => {
  const fields = [
    field('title', 'text', { required: true }),
    field('year', 'integer'),
    field('urls', 'text[]'),
    field('params', 'object'),
    field('on', 'boolean'),
    field('empty', 'text'),
  ];
  const { request, wrong } = request_of(fields, {
    title: ' A ',
    year: '1979',
    urls: 'a\n\n b ',
    params: '{"seed": 7}',
    on: true,
    empty: '  ',
  });

  assert.deepEqual(wrong, {});
  assert.deepEqual(request, {
    title: 'A',
    year: 1979,
    urls: ['a', 'b'],
    params: { seed: 7 },
    on: true,
  });
});

test('what cannot be sent is wrong by its name', () => {
  const fields = [
    field('title', 'text', { required: true }),
    field('year', 'integer'),
    field('params', 'object'),
  ];
  const { wrong } = request_of(fields, { year: '19.5', params: '[1]' });

  assert.deepEqual(Object.keys(wrong), ['title', 'year', 'params']);
});

test('the server’s words go to their field; the rest is kept', () => {
  const { wrong, rest } = errors_of([field('url', 'url'), field('filters', 'object')], {
    url: 'is private',
    'request.filters.min_size': 'is negative',
    owner: 'is unknown',
  });

  assert.deepEqual(wrong, { url: 'is private', filters: 'min_size: is negative' });
  assert.deepEqual(rest, ['owner: is unknown']);
});
