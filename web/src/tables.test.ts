import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start_live, stop_live } from './live';
import { forget_tables, lifecycles } from './tables';

// A browser whose stream opens when the test says so, and a daemon that counts its requests.
const opens: (() => void)[] = [];
let reads = 0;
let not_ready = '';
Object.assign(globalThis, {
  window: globalThis,
  document: { hidden: false, addEventListener() {}, removeEventListener() {} },
  EventSource: class {
    addEventListener(name: string, call: () => void) {
      if (name === 'open') opens.push(call);
    }
    close() {}
  },
  fetch: async () => {
    reads += 1;
    return new Response(
      JSON.stringify({ items: [{ name: 'book', states: [], moves: [], not_ready }] }),
    );
  },
});
const lacks = async () => (await lifecycles())[0]!.not_ready;

test('the tables are read once, until the live stream comes back', async () => {
  not_ready = 'configure engine.x.url';
  start_live();
  opens[0]!();
  assert.equal(await lacks(), 'configure engine.x.url');
  assert.equal(await lacks(), 'configure engine.x.url');
  assert.equal(reads, 1);

  not_ready = '';
  opens[0]!();
  assert.equal(await lacks(), '');
  assert.equal(await lacks(), '');
  assert.equal(reads, 2);
  stop_live();
});

test('the tables are read again for another user', async () => {
  await lifecycles();
  const before = reads;
  forget_tables();
  await lifecycles();
  assert.equal(reads, before + 1);
});
