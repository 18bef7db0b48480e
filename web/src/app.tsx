// The root of the page: login, routing, and the parts that all pages share.
import { useEffect, useState } from 'preact/hooks';
import { api, Refused, when_logged_out } from './api';
import { forget_all, useTitle } from './hooks';
import { hear, start_live, stop_live } from './live';
import { AddPage } from './pages/add';
import { BookPage } from './pages/book';
import { FilmsPage } from './pages/films';
import { ImagesPage } from './pages/images';
import { JobPage } from './pages/job';
import { JobsPage } from './pages/jobs';
import { LibraryPage } from './pages/library';
import { LoginPage } from './pages/login';
import { RelaysPage } from './pages/relays';
import { TrashPage } from './pages/trash';
import { Shell } from './parts/shell';
import { Trouble } from './parts/small';
import { follow, go, route_of, useLocation } from './route';
import type { User } from './types';

type Session =
  | { kind: 'asking' }
  | { kind: 'logged_out' }
  | { kind: 'broken'; error: unknown }
  | { kind: 'user'; user: User };

export function App() {
  const [session, set] = useState<Session>({ kind: 'asking' });
  const at = useLocation();
  const ask = () => {
    set({ kind: 'asking' });
    api.me().then(
      (user) => set({ kind: 'user', user }),
      (error: unknown) =>
        set(
          error instanceof Refused && error.status === 401
            ? { kind: 'logged_out' }
            : { kind: 'broken', error },
        ),
    );
  };
  useEffect(() => {
    when_logged_out(() => {
      stop_live();
      forget_all();
      set({ kind: 'logged_out' });
    });
    ask();
    document.addEventListener('click', follow);
    // The server may refuse a stream because the session has ended. This request finds out.
    const stop = hear('link', (link) => link === 'lost' && void api.me().catch(() => undefined));
    return () => {
      stop();
      document.removeEventListener('click', follow);
    };
  }, []);
  const user = session.kind === 'user' ? session.user : null;
  useEffect(() => {
    if (user) start_live();
  }, [user]);
  const route = route_of(at.path);
  useEffect(() => {
    if (user && route.page === 'login') go('/jobs', 'replace');
  }, [user, route.page]);

  if (session.kind === 'asking') return <div class="blank" aria-busy="true" />;
  if (session.kind === 'broken')
    return (
      <main class="blank">
        <Trouble error={session.error} again={ask} />
      </main>
    );
  if (!user)
    return (
      <LoginPage
        onLogin={(one) =>
          api.me().then(
            (user) => set({ kind: 'user', user }),
            () => set({ kind: 'user', user: one }),
          )
        }
      />
    );
  const leave = () => {
    stop_live();
    forget_all();
    api
      .logout()
      .catch(() => undefined)
      .then(() => {
        set({ kind: 'logged_out' });
        go('/login', 'replace');
      });
  };
  return (
    <Shell user={user} page={route.page} onLeave={leave}>
      {route.page === 'jobs' && <JobsPage search={at.search} user={user} />}
      {route.page === 'job' && <JobPage key={route.id} id={route.id} user={user} />}
      {route.page === 'library' && <LibraryPage search={at.search} user={user} />}
      {route.page === 'book' && <BookPage key={route.id} id={route.id} user={user} />}
      {route.page === 'films' && <FilmsPage search={at.search} user={user} />}
      {route.page === 'trash' && <TrashPage search={at.search} user={user} />}
      {route.page === 'images' && <ImagesPage search={at.search} user={user} />}
      {route.page === 'relays' && <RelaysPage search={at.search} user={user} />}
      {route.page === 'add' && <AddPage search={at.search} />}
      {route.page === 'lost' && <LostPage />}
    </Shell>
  );
}

function LostPage() {
  useTitle('Page not found');
  return (
    <div class="empty">
      <h1>Page not found</h1>
      <p>There is no page at this address.</p>
      <a class="button" href="/jobs">
        All jobs
      </a>
    </div>
  );
}
