import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source_of, title_of, url_title } from './title';

const title = (request: Parameters<typeof title_of>[0]['request']) => title_of({ id: 7, request });

test('the title of a job is the part of its request that a user knows', () => {
  assert.equal(title({ url: 'https://a.example/x/My%20file.iso?k=1' }), 'My file.iso');
  assert.equal(title({ url: 'https://a.example/' }), 'a.example');
  assert.equal(
    title({ urls: ['https://a.example/1.zip', 'https://a.example/2.zip'] }),
    '1.zip and 1 more',
  );
  assert.equal(title({ url: 'https://a.example/x', name: 'own name' }), 'own name');
  assert.equal(title({ title: 'Dark', year: 2024, season: 1, episode: 4 }), 'Dark (2024) S01E04');
  assert.equal(title({ book_id: 'b-1' }), 'b-1');
  assert.equal(title({ file_id: 'disk:/Films/a.mp4' }), 'a.mp4');
  assert.equal(title({ prompt: 'A harbour' }), 'A harbour');
  assert.equal(title({ weight: 3, parcel: 'a lamp' }), 'a lamp');
  assert.equal(title({ year: 2024, first: 'something' }), 'something');
  assert.equal(title({}), 'Job 7');
});

test('an invalid URL stays unchanged, and a password is not shown', () => {
  assert.equal(url_title('javascript:alert(1)'), 'javascript:alert(1)');
  assert.equal(url_title('https://a.example/%E0%A4%A'), '%E0%A4%A');
  assert.equal(source_of({ request: { url: 'https://me:secret@a.example/x' } }), 'a.example');
  assert.equal(source_of({ request: { uri: 'magnet:?xt=1' } }), 'magnet');
});
