// The gallery: a tile for each image job, newest first. A picture opens large.
import { useMemo, useState } from 'preact/hooks';
import { api } from '../api';
import { IMAGES, next_step, pictures_of } from '../images';
import { useLoad, useProgress, useTitle } from '../hooks';
import { look_of, state_of } from '../outcome';
import { DownloadIcon, EndMark } from '../parts/icons';
import { Pager } from '../parts/pager';
import { Ago, Bar, StateName, Trouble, Waiting } from '../parts/small';
import { Pieces } from '../parts/text';
import { go } from '../route';
import { filled } from '../search';
import { cut_middle, plain } from '../text';
import { title_of } from '../title';
import type { End, Job, Picture, Stats, User } from '../types';
import { is_own, may_add, owner_name } from '../who';
import { images_path } from './images';
import { Lightbox, type Shown } from './images_lightbox';
import { useFollow, useListKeys } from './jobs_hooks';
import { Search, SearchedSoFar } from './jobs_parts';

const PAGE = 24;
const ENDS: { end: End; name: string }[] = [
  { end: 'open', name: 'Open' },
  { end: 'good', name: 'Done' },
  { end: 'bad', name: 'Failed' },
];

interface Chosen {
  end: string;
  q: string;
  cursor: string;
}

const no_selection = () => undefined;

export function ImagesGallery({ search, user }: { search: string; user: User }) {
  useTitle('Images');
  const chosen = useMemo(() => {
    const params = new URLSearchParams(search);
    const get = (name: string) => params.get(name) ?? '';
    return { end: get('end'), q: get('q'), cursor: get('cursor') };
  }, [search]);
  const list = useLoad(`images ${search}`, () =>
    filled((page) => api.jobs({ ...chosen, ...page, lifecycle: IMAGES }), {
      cursor: chosen.cursor,
      limit: PAGE,
    }),
  );
  const stats = useLoad<Stats>('stats', api.stats);
  const refresh = () => {
    list.again();
    stats.again();
  };
  const jobs = list.data?.items ?? [];
  useFollow(refresh, jobs);
  useListKeys(no_selection);
  const [open, set_open] = useState<number | null>(null);
  const [pictures, set_pictures] = useState<ReadonlyMap<number, Picture>>(new Map());
  const seen = (job: number, picture: Picture) =>
    set_pictures((known) => new Map(known).set(job, picture));
  const shown: Shown[] = jobs.flatMap((job) => {
    const picture = pictures.get(job.id);
    return picture ? [{ job, picture }] : [];
  });
  const pick = (change: Partial<Chosen>) => go(images_path({ ...chosen, cursor: '', ...change }));
  return (
    <>
      <div class="list-head">
        <EndTabs stats={stats.data} end={chosen.end} pick={pick} />
        <Search q={chosen.q} pick={pick} label="Search the prompts" />
      </div>
      {list.error !== null && <Trouble error={list.error} again={refresh} />}
      {!list.data && list.loading && <Waiting rows={6} />}
      {list.data && jobs.length === 0 && !list.data.next && (
        <Nothing filtered={Boolean(chosen.end || chosen.q)} viewer={!may_add(user)} />
      )}
      {jobs.length > 0 && (
        <ul class="gallery" aria-label="Images">
          {jobs.map((job) => (
            <Tile key={job.id} job={job} user={user} seen={seen} open={() => set_open(job.id)} />
          ))}
        </ul>
      )}
      {list.data?.next && jobs.length < PAGE && (
        <SearchedSoFar
          searched={list.data.searched ?? 0}
          found={jobs.length}
          noun="image"
          on={images_path({ ...chosen, cursor: list.data.next })}
        />
      )}
      <Pager
        list="images"
        cursor={chosen.cursor}
        next={list.data?.next ? String(list.data.next) : null}
        path={(cursor) => images_path({ ...chosen, cursor })}
        words={{ first: 'Newest', back: 'Newer', on: 'Older' }}
      />
      {open !== null && (
        <Lightbox shown={shown} job={open} show={set_open} close={() => set_open(null)} />
      )}
    </>
  );
}

interface TabsProps {
  stats: Stats | null;
  end: string;
  pick: (change: Partial<Chosen>) => void;
}

function EndTabs({ stats, end, pick }: TabsProps) {
  const rows = stats?.jobs.filter((row) => row.lifecycle === IMAGES);
  const count = (of: string) => {
    const sum = rows
      ?.filter((row) => !of || row.end === of)
      .reduce((total, row) => total + row.count, 0);
    return sum === undefined ? null : <span class="count">{sum.toLocaleString('en')}</span>;
  };
  return (
    <div class="tabs" role="group" aria-label="How far they are">
      <button type="button" aria-pressed={!end} onClick={() => pick({ end: '' })}>
        All {count('')}
      </button>
      {ENDS.map((one) => (
        <button
          key={one.end}
          type="button"
          aria-pressed={end === one.end}
          onClick={() => pick({ end: end === one.end ? '' : one.end })}
        >
          <EndMark end={one.end} />
          <span class="tab-word">{one.name}</span> {count(one.end)}
        </button>
      ))}
    </div>
  );
}

interface TileProps {
  job: Job;
  user: User;
  seen: (job: number, picture: Picture) => void;
  open: () => void;
}

function Tile({ job, user, seen, open }: TileProps) {
  const owner = is_own(job, user) ? '' : owner_name(job, user);
  const prompt = title_of(job);
  const [picture, set_picture] = useState<Picture | null>(null);
  const found = (one: Picture) => {
    set_picture(one);
    seen(job.id, one);
  };
  return (
    <li class={`row tile end-${look_of(job)}`} data-job={job.id}>
      {job.end === 'good' ? (
        <TilePicture job={job} picture={picture} found={found} open={open} />
      ) : (
        <TileState job={job} />
      )}
      <div class="tile-foot">
        <a
          class="row-link tile-prompt"
          href={`/jobs/${job.id}`}
          title={plain(cut_middle(prompt, 600))}
        >
          <Pieces text={cut_middle(prompt, 200)} />
        </a>
        <span class="sub">
          <span class="num">#{job.id}</span>
          {owner && (
            <span class="sub-cut">
              <Pieces text={cut_middle(owner, 40)} />
            </span>
          )}
          <Ago at={job.moved_at} />
          <span class="grow" />
          {picture && (
            <a
              class="tile-download"
              href={picture.url}
              download
              title="Download"
              aria-label={`Download ${plain(cut_middle(prompt, 80))}`}
            >
              <DownloadIcon />
            </a>
          )}
        </span>
      </div>
    </li>
  );
}

interface PictureProps {
  job: Job;
  picture: Picture | null;
  found: (picture: Picture) => void;
  open: () => void;
}

function TilePicture({ job, picture, found, open }: PictureProps) {
  const [broken, set_broken] = useState(false);
  const loaded = useLoad(`pictures ${job.id} ${job.seq}`, async () => {
    const first = pictures_of(await api.result(job.id))[0] ?? null;
    if (first) found(first);
    return { first };
  });
  if (loaded.error !== null) return <p class="tile-box tile-note">The image cannot be read.</p>;
  if (loaded.data && !loaded.data.first)
    return <p class="tile-box tile-note">The image was removed.</p>;
  const prompt = plain(cut_middle(title_of(job), 200));
  return (
    <button type="button" class="tile-box tile-open" aria-label={`Show ${prompt}`} onClick={open}>
      {picture && !broken && (
        <img
          src={picture.thumbnail_url}
          alt={prompt}
          loading="lazy"
          onError={() => set_broken(true)}
        />
      )}
      {broken && <span class="tile-note">The preview cannot be loaded.</span>}
    </button>
  );
}

function TileState({ job }: { job: Job }) {
  const progress = useProgress(job.id, job.progress, job.end === 'open');
  const told = job.detail || job.reason;
  const next = job.end === 'open' ? '' : next_step(job.reason ?? '');
  return (
    <div class="tile-box tile-state">
      <StateName state={state_of(job)} end={look_of(job)} busy={job.worker !== null} />
      {told && (
        <p class="tile-reason">
          <Pieces text={cut_middle(told, 160)} />
        </p>
      )}
      {next && <p class="tile-reason">{next}</p>}
      {(progress || job.worker !== null) && (
        <Bar progress={progress ?? { have: 0, size: null }} label={`Progress of job ${job.id}`} />
      )}
    </div>
  );
}

function Nothing({ filtered, viewer }: { filtered: boolean; viewer: boolean }) {
  return (
    <div class="empty">
      <h2>{filtered ? 'No images found' : 'No images yet'}</h2>
      <p>
        {filtered
          ? 'No image matches the filter and the search.'
          : viewer
            ? 'Images appear here when a user makes them.'
            : 'Say above what the first one shows.'}
      </p>
      {filtered && (
        <a class="button" href="/images">
          Show all images
        </a>
      )}
    </div>
  );
}
