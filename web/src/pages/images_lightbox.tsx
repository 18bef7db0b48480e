// One image as large as the window allows. Arrow keys lead to the other images of the gallery.
import { useEffect, useState } from 'preact/hooks';
import { bytes } from '../format';
import { DownloadIcon, LeftIcon, RightIcon } from '../parts/icons';
import { Ago, Dialog, Notice } from '../parts/small';
import { Long, Pieces } from '../parts/text';
import { cut_middle, plain } from '../text';
import { title_of } from '../title';
import type { Job, Picture } from '../types';

export interface Shown {
  job: Job;
  picture: Picture;
}

interface Props {
  shown: Shown[];
  job: number;
  show: (job: number) => void;
  close: () => void;
}

export function Lightbox({ shown, job, show, close }: Props) {
  const at = shown.findIndex((one) => one.job.id === job);
  const before = shown[at - 1];
  const after = shown[at + 1];
  const [broken, set_broken] = useState(false);
  useEffect(() => {
    set_broken(false);
    const press = (event: KeyboardEvent) => {
      if (event.key === 'ArrowLeft' && before) show(before.job.id);
      if (event.key === 'ArrowRight' && after) show(after.job.id);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [job, before?.job.id, after?.job.id]);
  const here = shown[at];
  if (!here) return null;
  const prompt = title_of(here.job);
  const params = here.job.request['params'];
  const has_params =
    params !== null && typeof params === 'object' && Object.keys(params).length > 0;
  return (
    <Dialog title={`Image #${job}`} kind="lightbox" onClose={close}>
      <div class="lightbox-stage">
        {broken ? (
          <Notice tone="bad">The image cannot be loaded.</Notice>
        ) : (
          <img
            key={job}
            src={here.picture.url}
            alt={plain(cut_middle(prompt, 200))}
            onError={() => set_broken(true)}
          />
        )}
      </div>
      <p class="lightbox-prompt">
        <Long text={prompt} />
      </p>
      {has_params && (
        <p>
          <code class="code">
            <Pieces text={cut_middle(JSON.stringify(params), 400)} />
          </code>
        </p>
      )}
      <footer class="dialog-foot lightbox-foot">
        <button
          type="button"
          class="button square"
          aria-label="Newer image"
          disabled={!before}
          onClick={() => before && show(before.job.id)}
        >
          <LeftIcon />
        </button>
        <button
          type="button"
          class="button square"
          aria-label="Older image"
          disabled={!after}
          onClick={() => after && show(after.job.id)}
        >
          <RightIcon />
        </button>
        <span class="sub">
          {here.picture.size !== null && <span>{bytes(here.picture.size)}</span>}
          <Ago at={here.job.moved_at} />
        </span>
        <span class="grow" />
        <a class="button" href={`/jobs/${job}`}>
          Its job
        </a>
        <a class="button primary" href={here.picture.url} download>
          <DownloadIcon />
          Download
        </a>
      </footer>
    </Dialog>
  );
}
