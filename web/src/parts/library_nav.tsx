// The parts of the library, and a link from each to the others.
import { BooksIcon, FilmIcon, TrashIcon } from './icons';

const PARTS = [
  { path: '/library', name: 'Books', icon: <BooksIcon /> },
  { path: '/films', name: 'Films and series', icon: <FilmIcon /> },
  { path: '/trash', name: 'Trash', icon: <TrashIcon /> },
];

export function LibraryNav({ here }: { here: string }) {
  return (
    <nav class="segments library-nav" aria-label="Parts of the library">
      {PARTS.map((one) => (
        <a key={one.path} href={one.path} aria-current={one.path === here ? 'page' : undefined}>
          {one.icon}
          <span>{one.name}</span>
        </a>
      ))}
    </nav>
  );
}
