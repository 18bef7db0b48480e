import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut_middle, pieces, plain, safe_href, split_tail } from './text';

test('characters that reorder or hide text are shown by their code', () => {
  assert.equal(plain('report-\u202Efdp.exe'), 'report-⟨U+202E⟩fdp.exe');
  assert.equal(plain('a\u2066b\u2069c\u200Bd\uFEFF'), 'a⟨U+2066⟩b⟨U+2069⟩c⟨U+200B⟩d⟨U+FEFF⟩');
  assert.equal(
    plain('bell\u0007 nul\u0000 del\u007F c1\u009B'),
    'bell⟨U+0007⟩ nul⟨U+0000⟩ del⟨U+007F⟩ c1⟨U+009B⟩',
  );
  assert.equal(plain('half \uD83D'), 'half ⟨U+D83D⟩');
});

test('emoji joined by U+200D and plain text stay as they are', () => {
  assert.equal(plain('👩‍👩‍👧 ok'), '👩‍👩‍👧 ok');
  assert.deepEqual(pieces('plain'), [{ text: 'plain', escaped: false }]);
  assert.deepEqual(pieces(''), []);
});

test('a block keeps its newlines, a name does not', () => {
  assert.equal(plain('a\nb'), 'a⟨U+000A⟩b');
  assert.deepEqual(pieces('a\nb\tc', true), [{ text: 'a\nb\tc', escaped: false }]);
});

test('a long text loses its middle, counted in visible characters', () => {
  assert.equal(cut_middle('0123456789', 10), '0123456789');
  assert.equal(cut_middle('01234567890', 10), '012345…890');
  assert.equal(cut_middle('x'.repeat(1_000_000), 40).length, 40);
  assert.ok(!/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(cut_middle('👩‍👩‍👧'.repeat(100), 9)));
});

test('the tail of a name starts at a nearby word', () => {
  assert.deepEqual(split_tail('short.txt', 9), ['short.txt', '']);
  assert.deepEqual(split_tail('Cut-away drawing of a steam crane', 9), [
    'Cut-away drawing of a ',
    'steam crane',
  ]);
  assert.equal(split_tail('x'.repeat(40), 9).join(''), 'x'.repeat(40));
});

test('only http, https and magnet become links', () => {
  assert.equal(safe_href('https://example.org/a'), 'https://example.org/a');
  assert.ok(safe_href('magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a'));
  for (const text of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'java\nscript:alert(1)',
    'file:///etc/passwd',
    '//example.org',
    'https://',
    '',
  ])
    assert.equal(safe_href(text), null, text);
});
