import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  about_of,
  control_of,
  controls_of,
  errors_of,
  request_of,
  setup_of,
  takes_links,
} from './form';
import { errand, named } from './testing';
import type { Field, Lifecycle } from './types';

const field = (name: string, type: string, more: Partial<Field> = {}): Field => ({
  name,
  type,
  required: false,
  about: '',
  values: [],
  ...more,
});

test('a lifecycle that is not ready says what to configure, and a ready one nothing', () => {
  assert.equal(
    setup_of({ ...errand, not_ready: 'configure engine.x.url' }),
    'The daemon cannot run errand jobs: configure engine.x.url.',
  );
  assert.equal(setup_of(errand), '');
});

test('links go to a lifecycle whose requests take one or many, whatever its name', () => {
  const table = (...names: string[]): Lifecycle => ({
    ...errand,
    request: names.map((name) => field(name, 'string')),
  });
  assert.ok(takes_links(table('folder', 'url', 'urls')));
  assert.ok(!takes_links(table('url')));
  assert.ok(!takes_links(table('uri', 'urls')));
  assert.ok(!takes_links(named('item')));
});

test('each type of field has its control', () => {
  assert.equal(control_of(field('engine', 'string', { values: ['a'] })), 'choice');
  assert.equal(control_of(field('urls', 'list')), 'list');
  assert.equal(control_of(field('types', 'list', { values: ['a'] })), 'list');
  assert.equal(control_of(field('discover', 'boolean')), 'check');
  assert.equal(control_of(field('year', 'number')), 'number');
  assert.equal(control_of(field('filters', 'object')), 'json');
  assert.equal(control_of(field('poem', 'string', { lines: true })), 'area');
  assert.equal(control_of(field('title', 'string')), 'text');
  assert.equal(control_of(field('title', 'something new')), 'text');
});

test('a request has the filled-in values in their types', () => {
  const fields = [
    field('title', 'string', { required: true }),
    field('year', 'number'),
    field('urls', 'list'),
    field('params', 'object'),
    field('on', 'boolean'),
    field('empty', 'string'),
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

test('an object with known fields has a control for each, and the request has the object', () => {
  const fields = controls_of([
    field('url', 'string'),
    field('limits', 'object', { fields: [field('per_host', 'number'), field('delay', 'string')] }),
    field('params', 'object'),
  ]);
  assert.deepEqual(
    fields.map((one) => one.name),
    ['url', 'limits.per_host', 'limits.delay', 'params'],
  );
  const { request } = request_of(fields, { 'limits.per_host': '2', 'limits.delay': '5s' });
  assert.deepEqual(request, { limits: { per_host: 2, delay: '5s' } });
  assert.deepEqual(request_of(fields, { url: 'a' }).request, { url: 'a' });
  assert.deepEqual(errors_of(fields, { 'request.limits.delay': 'too long' }), {
    wrong: { 'limits.delay': 'too long' },
    rest: [],
  });
});

test('a control says what range its value has, but not how long a text may be', () => {
  const about = (more: Partial<Field>) => about_of(field('a', 'number', { about: 'A', ...more }));
  assert.equal(about({ expects: '1 to 9' }), 'A: 1 to 9');
  assert.equal(about({ expects: 'at most 200 bytes' }), 'A');
  assert.equal(about({ expects: 'b or c', values: ['b', 'c'] }), 'A');
  assert.equal(about({}), 'A');
});

test('an invalid value is an error of its field', () => {
  const fields = [
    field('title', 'string', { required: true }),
    field('year', 'number'),
    field('params', 'object'),
  ];
  const { wrong } = request_of(fields, { year: '19.5', params: '[1]' });

  assert.deepEqual(wrong, {
    title: 'required',
    year: 'must be a whole number',
    params: 'must be an object, such as {"name": "value"}',
  });
});

test('errors of the server go to their fields; the others are kept', () => {
  const { wrong, rest } = errors_of([field('url', 'string'), field('filters', 'object')], {
    url: 'is private',
    'request.filters.min_size': 'is negative',
    owner: 'is unknown',
  });

  assert.deepEqual(wrong, { url: 'is private', filters: 'min_size: is negative' });
  assert.deepEqual(rest, ['owner: is unknown']);
});
