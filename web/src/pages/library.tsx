// The library: all books with their shelf, their files and their open jobs, live.
import { useMemo } from 'preact/hooks';
import { api, query_of } from '../api';
import { book_path, end_of_asset, holdings_of, type Holding } from '../books';
import { bytes } from '../format';
import { useLoad, useProgress, useTitle } from '../hooks';
import { EndMark, ShelfIcon } from '../parts/icons';
import { LibraryNav } from '../parts/library_nav';
import { Pager } from '../parts/pager';
import { Bar, StateName, Trouble, Waiting } from '../parts/small';
import { progress_words } from '../progress';
import { Name, Pieces } from '../parts/text';
import { go } from '../route';
import { filled } from '../search';
import { cut_middle, plain } from '../text';
import type { Book, Job, Stats, User } from '../types';
import { may_add } from '../who';
import { useFollow, useListKeys } from './jobs_hooks';
import { Search, SearchedSoFar } from './jobs_parts';

const PAGE = 50;
const SHELVES = ['library', 'archive'] as const;

interface Chosen {
  shelf: string;
  q: string;
  cursor: string;
}

const path_of = (chosen: Partial<Chosen>) => `/library${query_of(chosen)}`;

// The list as it was last shown. A book's page links back to it.
let last_search = '';
export const library_path = () => `/library${last_search}`;

const no_selection = () => undefined;

export function LibraryPage({ search, user }: { search: string; user: User }) {
  useTitle('Library');
  last_search = search;
  const chosen = useMemo(() => {
    const params = new URLSearchParams(search);
    const get = (name: string) => params.get(name) ?? '';
    return { shelf: get('shelf'), q: get('q'), cursor: get('cursor') };
  }, [search]);
  const list = useLoad(`books ${search}`, () =>
    filled((page) => api.books({ ...chosen, ...page }), { cursor: chosen.cursor, limit: PAGE }),
  );
  const stats = useLoad<Stats>('stats', api.stats);
  const refresh = () => {
    list.again();
    stats.again();
  };
  const books = list.data?.items ?? [];
  useFollow(
    refresh,
    books.flatMap((book) => book.open_jobs),
  );
  useListKeys(no_selection);
  const pick = (change: Partial<Chosen>) => go(path_of({ ...chosen, cursor: '', ...change }));
  return (
    <section class="list library" aria-label="Books">
      <h1 class="hidden">Library</h1>
      <LibraryNav here="/library" />
      <div class="list-head">
        <ShelfTabs counts={stats.data?.books ?? null} shelf={chosen.shelf} pick={pick} />
        <Search q={chosen.q} pick={pick} label="Search the books" />
      </div>
      {list.error !== null && <Trouble error={list.error} again={refresh} />}
      {!list.data && list.loading && <Waiting rows={10} />}
      {list.data && books.length === 0 && !list.data.next && (
        <Nothing filtered={Boolean(chosen.shelf || chosen.q)} viewer={!may_add(user)} />
      )}
      {books.length > 0 && <Shelf books={books} />}
      {list.data?.next && books.length < PAGE && (
        <SearchedSoFar
          searched={list.data.searched ?? 0}
          found={books.length}
          noun="book"
          on={path_of({ ...chosen, cursor: list.data.next })}
        />
      )}
      <Pager
        list="books"
        cursor={chosen.cursor}
        next={list.data?.next ? String(list.data.next) : null}
        path={(cursor) => path_of({ ...chosen, cursor })}
        words={{ first: 'First', back: 'Previous', on: 'Next' }}
      />
    </section>
  );
}

interface TabsProps {
  counts: { archive: number; library: number } | null;
  shelf: string;
  pick: (change: Partial<Chosen>) => void;
}

function ShelfTabs({ counts, shelf, pick }: TabsProps) {
  const count = (n: number | undefined) =>
    n === undefined ? null : <span class="count">{n.toLocaleString('en')}</span>;
  return (
    <div class="tabs" role="group" aria-label="Shelf">
      <button type="button" aria-pressed={!shelf} onClick={() => pick({ shelf: '' })}>
        All {count(counts ? counts.archive + counts.library : undefined)}
      </button>
      {SHELVES.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={shelf === one}
          onClick={() => pick({ shelf: shelf === one ? '' : one })}
        >
          {one === 'library' ? <EndMark end="good" /> : <ShelfIcon />}
          <span class="tab-word">{one}</span> {count(counts?.[one])}
        </button>
      ))}
    </div>
  );
}

function Shelf({ books }: { books: Book[] }) {
  return (
    <table class="table books" role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader">Book</th>
          <th role="columnheader">Shelf</th>
          <th role="columnheader">Text</th>
          <th role="columnheader">Audio</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {books.map((book) => (
          <BookRow key={book.id} book={book} />
        ))}
      </tbody>
    </table>
  );
}

function BookRow({ book }: { book: Book }) {
  const [text, audio, ...others] = holdings_of(book);
  return (
    <tr class="row" role="row" data-book={book.id}>
      <td class="cell-job" role="cell">
        <a class="row-link" href={book_path(book.id)}>
          <Name text={book.title} />
        </a>
        <span class="sub">
          <span class="sub-cut book-id">
            <Pieces text={cut_middle(book.id, 60)} />
          </span>
          {others.map((one) => (
            <span key={one.kind}>
              <Pieces text={cut_middle(one.kind, 20)} />
              {one.asset && one.asset.status !== 'available' && ` ${one.asset.status}`}
            </span>
          ))}
        </span>
      </td>
      <td class="cell-shelf" role="cell">
        <ShelfName shelf={book.shelf} />
      </td>
      {[text!, audio!].map((one) => (
        <td key={one.kind} class="cell-kind" role="cell">
          <Held held={one} title={book.title} />
        </td>
      ))}
    </tr>
  );
}

// A book in the archive has not failed: it waits for its files.
export function ShelfName({ shelf }: { shelf: string }) {
  if (shelf === 'library') return <StateName state={shelf} end="good" />;
  return (
    <span class="shelf">
      <ShelfIcon />
      <span>{shelf}</span>
    </span>
  );
}

// One kind of file: its open job if there is one, else the file with its size or its status.
function Held({ held, title }: { held: Holding; title: string }) {
  if (held.job) return <Arriving job={held.job} kind={held.kind} title={title} />;
  const { asset } = held;
  if (!asset)
    return (
      <span class="none">
        <span class="kind-word">{held.kind} </span>
        <span aria-hidden="true">–</span>
        <span class="hidden">none</span>
      </span>
    );
  const there = asset.status === 'available';
  const word = there ? (asset.size === null ? 'available' : bytes(asset.size)) : asset.status;
  return (
    <span class={`held end-${end_of_asset(asset)}`}>
      <EndMark end={end_of_asset(asset)} />
      <span class="kind-word">{held.kind} </span>
      <span class={there ? 'num' : 'held-lost'}>{word}</span>
    </span>
  );
}

function Arriving({ job, kind, title }: { job: Job; kind: string; title: string }) {
  const progress = useProgress(job.id, job.progress, job.end === 'open');
  return (
    <>
      <span class="held end-open">
        <EndMark end="open" busy={progress !== null} />
        <span class="kind-word">{kind} </span>
        <span>{job.paused ? 'paused' : job.state}</span>
      </span>
      {progress && (
        <>
          <Bar
            progress={progress}
            label={`Progress of ${plain(cut_middle(title, 80))}, ${plain(kind)}`}
          />
          <span class="sub num">
            {progress_words(progress, 'short').map((word) => (
              <span key={word}>{word}</span>
            ))}
          </span>
        </>
      )}
    </>
  );
}

function Nothing({ filtered, viewer }: { filtered: boolean; viewer: boolean }) {
  if (filtered)
    return (
      <div class="empty">
        <h2>No books found</h2>
        <p>No book matches the shelf and the search.</p>
        <a class="button" href="/library">
          Show all books
        </a>
      </div>
    );
  return (
    <div class="empty">
      <h2>No books yet</h2>
      <p>
        {viewer
          ? 'Books appear here when a user adds them.'
          : 'Books appear here as soon as you add them.'}
      </p>
      {!viewer && (
        <a class="button primary" href="/add?as=book">
          Add a book
        </a>
      )}
    </div>
  );
}
