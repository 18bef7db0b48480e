// Images: a prompt form and a gallery, the credits, and the jobs that haul gave up on.
import { useEffect, useState } from 'preact/hooks';
import { api, query_of } from '../api';
import { given_up, IMAGES } from '../images';
import { useLifecycles, useLoad, useSoon, useTitle } from '../hooks';
import { hear } from '../live';
import { Trouble } from '../parts/small';
import type { User, Wallet } from '../types';
import { may_add } from '../who';
import { ImagesCredits } from './images_credits';
import { ImageForm } from './images_form';
import { ImagesGallery } from './images_gallery';
import { ImagesReview } from './images_review';

const VIEWS = [
  { view: '', name: 'Gallery' },
  { view: 'credits', name: 'Credits' },
  { view: 'review', name: 'Review' },
];

export const images_path = (query: Record<string, string | null>) => `/images${query_of(query)}`;

// The user's own credits. Moves of jobs change them, so they are fetched again after moves.
function useWallet(user: User): { wallet: Wallet | null; again: () => void } {
  const loaded = useLoad(`wallet ${user.id}`, () => api.wallet(user.id));
  const soon = useSoon(loaded.again, 1_000);
  useEffect(() => {
    const stops = [hear('event', (event) => event.to && soon()), hear('resync', soon)];
    return () => stops.forEach((stop) => stop());
  }, [soon]);
  return { wallet: loaded.data, again: loaded.again };
}

export function ImagesPage({ search, user }: { search: string; user: User }) {
  useTitle('Images');
  const view = new URLSearchParams(search).get('view') ?? '';
  const { tables, error } = useLifecycles();
  const table = tables.find((one) => one.name === IMAGES);
  const { wallet, again } = useWallet(user);
  // The form starts empty after each image, with a new key.
  const [made, set_made] = useState(0);
  const on_made = () => {
    set_made(made + 1);
    again();
  };
  return (
    <section class="list images" aria-label="Images">
      <h1 class="hidden">Images</h1>
      <nav class="segments images-nav" aria-label="Parts of images">
        {VIEWS.map((one) => (
          <a
            key={one.view}
            href={images_path({ view: one.view })}
            aria-current={one.view === view ? 'page' : undefined}
          >
            {one.name}
          </a>
        ))}
      </nav>
      {error && <Trouble error={error} />}
      {view === '' && table && may_add(user) && (
        <ImageForm key={made} table={table} wallet={wallet} onMade={on_made} />
      )}
      {view === '' && <ImagesGallery search={search} user={user} />}
      {view === 'credits' && <ImagesCredits user={user} table={table} onGranted={again} />}
      {view === 'review' && table && (
        <ImagesReview search={search} user={user} table={table} state={given_up(table)} />
      )}
    </section>
  );
}
