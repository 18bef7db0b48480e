// Pages through a list that only links to its next page. Remembers the earlier cursors for the
// previous pages, even while another page is shown.
import { go } from '../route';
import { LeftIcon, RightIcon } from './icons';

const before = new Map<string, string[]>(); // Earlier cursors by list.

interface Pages {
  list: string;
  cursor: string; // Of the page shown. Empty: the first page.
  next: string | null;
  path: (cursor: string) => string;
  words: { first: string; back: string; on: string };
}

export function Pager({ list, cursor, next, path, words }: Pages) {
  const passed = (cursor && before.get(list)) || [];
  before.set(list, passed);
  if (!cursor && !next) return null;
  const back = () => go(path(passed.pop() ?? ''));
  const on = () => {
    passed.push(cursor);
    go(path(next ?? ''));
    window.scrollTo(0, 0);
  };
  return (
    <nav class="pager" aria-label="Pages of the list">
      {cursor && (
        <a class="button ghost" href={path('')}>
          {words.first}
        </a>
      )}
      <span class="grow" />
      <button type="button" class="button" disabled={!cursor} onClick={back}>
        <LeftIcon />
        {words.back}
      </button>
      <button type="button" class="button" disabled={!next} onClick={on}>
        {words.on}
        <RightIcon />
      </button>
    </nav>
  );
}
