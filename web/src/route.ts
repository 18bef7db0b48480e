// A small router over the browser's history. The server returns the page for each of these paths.
import { useEffect, useState } from 'preact/hooks';

export type Route =
  | { page: 'jobs' }
  | { page: 'job'; id: number }
  | { page: 'library' }
  | { page: 'book'; id: string }
  | { page: 'films' }
  | { page: 'trash' }
  | { page: 'images' }
  | { page: 'relays' }
  | { page: 'add' }
  | { page: 'login' }
  | { page: 'lost' };

export function route_of(path: string): Route {
  const parts = path.replace(/\/+$/, '').split('/').slice(1);
  if (parts.length === 0 || (parts.length === 1 && parts[0] === 'jobs')) return { page: 'jobs' };
  if (parts.length === 2 && parts[0] === 'jobs' && /^[1-9][0-9]{0,15}$/.test(parts[1]!))
    return { page: 'job', id: Number(parts[1]) };
  if (parts.length === 1 && parts[0] === 'library') return { page: 'library' };
  if (parts.length === 2 && parts[0] === 'library') return book_route(parts[1]!);
  if (parts.length === 1 && parts[0] === 'films') return { page: 'films' };
  if (parts.length === 1 && parts[0] === 'trash') return { page: 'trash' };
  if (parts.length === 1 && parts[0] === 'images') return { page: 'images' };
  if (parts.length === 1 && parts[0] === 'relays') return { page: 'relays' };
  if (parts.length === 1 && parts[0] === 'add') return { page: 'add' };
  if (parts.length === 1 && parts[0] === 'login') return { page: 'login' };
  return { page: 'lost' };
}

function book_route(part: string): Route {
  try {
    return { page: 'book', id: decodeURIComponent(part) };
  } catch {
    return { page: 'lost' };
  }
}

const CHANGED = 'haul:route';

export function go(path: string, how: 'push' | 'replace' = 'push'): void {
  // After a change of page the next tab stop is its content, unless the page sets the focus itself.
  if (path.split('?')[0] !== location.pathname)
    document.getElementById('main')?.focus({ preventScroll: true });
  if (how === 'push') history.pushState(null, '', path);
  else history.replaceState(null, '', path);
  window.dispatchEvent(new Event(CHANGED));
}

// Links within the page do not reload it, unless a modifier key asks for a new tab.
export function follow(event: MouseEvent): void {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  )
    return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.origin !== location.origin || link.hasAttribute('download'))
    return;
  if (link.getAttribute('href')?.startsWith('#')) return;
  event.preventDefault();
  go(link.pathname + link.search);
  window.scrollTo(0, 0);
}

export function useLocation(): { path: string; search: string } {
  const [at, set] = useState(() => ({ path: location.pathname, search: location.search }));
  useEffect(() => {
    const read = () => set({ path: location.pathname, search: location.search });
    window.addEventListener('popstate', read);
    window.addEventListener(CHANGED, read);
    return () => {
      window.removeEventListener('popstate', read);
      window.removeEventListener(CHANGED, read);
    };
  }, []);
  return at;
}
