import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chat_of, folder_of, relay_request, RELAYS } from './relays';
import { named } from './testing';

test('a request has exactly the fields that the lifecycle requires', () => {
  const request = relay_request({ id: 3 }, { file: ' disk:/Films/a.mp4 ', chat: ' @films ' }, 'n1');
  const fields = named(RELAYS).request.map((field) => field.name);
  assert.deepEqual(Object.keys(request).sort(), fields.sort());
  assert.deepEqual(request, {
    user_id: 3,
    chat_id: '@films',
    file_id: 'disk:/Films/a.mp4',
    nonce: 'n1',
  });
});

test('a row names the chat and the folder', () => {
  const chat = (chat_id: string | number) => chat_of({ request: { chat_id } });
  assert.equal(chat(-100123), '-100123');
  assert.equal(chat('@films'), '@films');
  assert.equal(chat_of({ request: {} }), '');
  const folder = (file_id: string) => folder_of({ request: { file_id } });
  assert.equal(folder('disk:/Films/2020/a.mp4'), '/Films/2020');
  assert.equal(folder('/a.mp4'), '/');
  assert.equal(folder_of({ request: {} }), '');
});
