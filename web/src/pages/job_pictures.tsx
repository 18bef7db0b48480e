// The pictures in the result of a job, on its page.
import { bytes } from '../format';
import { pictures_of } from '../images';
import { DownloadIcon } from '../parts/icons';
import { plain, cut_middle } from '../text';
import { title_of } from '../title';
import type { Job, Json } from '../types';

export function JobPictures({ job, result }: { job: Job; result: Json }) {
  const pictures = pictures_of(result);
  const alt = plain(cut_middle(title_of(job), 200));
  return (
    <>
      {pictures.map((one) => (
        <figure key={one.id} class="job-image">
          <a href={one.url} target="_blank" rel="noopener">
            <img src={one.url} alt={alt} loading="lazy" />
          </a>
          <figcaption class="sub">
            {one.size !== null && <span>{bytes(one.size)}</span>}
            <a href={one.url} download>
              <DownloadIcon /> Download
            </a>
          </figcaption>
        </figure>
      ))}
    </>
  );
}
