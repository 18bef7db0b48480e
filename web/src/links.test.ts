import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINKS_MAX, parse_links, TWICE } from './links';

test('each line is a link or has an error', () => {
  const lines = parse_links(
    'https://a.example/1\n\n# a comment\nftp://a.example/2\nnot a link\r\nhttps://a.example/1\njavascript:alert(1)\nmagnet:?xt=urn:btih:1',
  );

  assert.deepEqual(
    lines.map((line) => [line.n, line.url !== null]),
    [
      [1, true],
      [4, false],
      [5, false],
      [6, false],
      [7, false],
      [8, false],
    ],
  );
  assert.match(lines[1]!.wrong!, /ftp: is not supported/);
  assert.match(lines[2]!.wrong!, /not a link/);
  assert.equal(lines[3]!.wrong, TWICE);
  assert.equal(lines[5]!.wrong, 'for a magnet link, choose a lifecycle that has a uri field');
});

test('one line can have several links', () => {
  assert.equal(parse_links('https://a.example/1 https://a.example/2\thttp://b.example').length, 3);
  assert.equal(parse_links('https://a.example/with a space').length, 1);
});

test('links beyond the limit are errors', () => {
  const lines = parse_links(
    Array.from({ length: LINKS_MAX + 1 }, (_, n) => `https://a.example/${n}`).join('\n'),
  );

  assert.equal(lines.filter((line) => line.url).length, LINKS_MAX);
  assert.match(lines[LINKS_MAX]!.wrong!, /1,000 at once/);
});
