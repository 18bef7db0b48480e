import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw, main_way, way_of } from './layout';
import { errand, lifecycles, named } from './testing';

test('the main line leads to the good end', () => {
  assert.deepEqual(main_way(named('media')), [
    'queued',
    'downloading',
    'completed',
    'imported',
    'cleaned',
  ]);
  assert.deepEqual(main_way(named('relay')), [
    'QUEUED',
    'CLAIMED',
    'DOWNLOADING',
    'STREAMING',
    'DELIVERED',
  ]);
  assert.deepEqual(main_way(named('image')), ['queued', 'running', 'completed']);
  assert.deepEqual(main_way(errand), ['waiting', 'carrying', 'there']);
  assert.deepEqual(main_way({ ...errand, states: [], moves: [] }), []);
});

for (const table of [...lifecycles, errand])
  for (const flow of ['across', 'down'] as const)
    test(`every state of ${table.name} has its own place, ${flow}`, () => {
      const picture = draw(table, flow);

      assert.equal(picture.nodes.length, table.states.length);
      for (const [index, a] of picture.nodes.entries()) {
        assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.w <= picture.w && a.y + a.h <= picture.h, a.name);
        for (const b of picture.nodes.slice(index + 1))
          assert.ok(
            a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y,
            `${a.name} covers ${b.name}`,
          );
      }
      const pairs = new Set(table.moves.map((move) => `${move.from} ${move.to}`));
      assert.deepEqual(new Set(picture.edges.map((edge) => `${edge.from} ${edge.to}`)), pairs);
      assert.ok(picture.edges.every((edge) => !/NaN|undefined/.test(edge.path)));
    });

test('the path of a job counts each move and its causes', () => {
  const event = (from: string | null, to: string | null, on: string | null) => ({ from, to, on });
  const way = way_of([
    event(null, null, null),
    event('a', 'b', 'claim'),
    event('b', 'a', 'lost'),
    event('a', 'b', 'claim'),
    event('b', 'b', 'adopt'),
  ]);

  assert.deepEqual(
    [...way],
    [
      ['["a","b"]', { times: 2, ons: ['claim'] }],
      ['["b","a"]', { times: 1, ons: ['lost'] }],
    ],
  );
});
