import assert from 'node:assert/strict';
import { test } from 'node:test';
import { source_of, title_of, url_title } from './title';

const title = (lifecycle: string, request: Parameters<typeof title_of>[0]['request']) =>
  title_of({ id: 7, lifecycle, request });

test('a job is called by what a person would know it by', () => {
  assert.equal(title('batch', { url: 'https://a.example/x/My%20file.iso?k=1' }), 'My file.iso');
  assert.equal(title('batch', { url: 'https://a.example/' }), 'a.example');
  assert.equal(
    title('batch', { urls: ['https://a.example/1.zip', 'https://a.example/2.zip'] }),
    '1.zip and 1 more',
  );
  assert.equal(title('batch', { url: 'https://a.example/x', name: 'own name' }), 'own name');
  assert.equal(
    title('media', { title: 'Dark', year: 2024, season: 1, episode: 4 }),
    'Dark (2024) S01E04',
  );
  assert.equal(title('book', { book_id: 'b-1' }), 'b-1');
  assert.equal(title('relay', { file_id: 'disk:/Films/a.mp4' }), 'a.mp4');
  assert.equal(title('image', { prompt: 'A harbour' }), 'A harbour');
  assert.equal(title('later', { first: 'something' }), 'something');
  assert.equal(title('later', {}), 'Job 7');
});

test('an address that cannot be read stays as it is, and shows no password', () => {
  assert.equal(url_title('javascript:alert(1)'), 'javascript:alert(1)');
  assert.equal(url_title('https://a.example/%E0%A4%A'), '%E0%A4%A');
  assert.equal(source_of({ request: { url: 'https://me:secret@a.example/x' } }), 'a.example');
  assert.equal(source_of({ request: { uri: 'magnet:?xt=1' } }), 'magnet');
});
