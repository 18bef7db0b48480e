// All icons except the lifecycle picture. They take the colour of the surrounding text.
import type { ComponentChildren } from 'preact';
import type { Look } from '../outcome';

function Icon({ children, size = 16 }: { children: ComponentChildren; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  );
}

export const PlusIcon = () => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
);
export const ListIcon = () => (
  <Icon>
    <path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01" />
  </Icon>
);
export const BooksIcon = () => (
  <Icon>
    <path d="M2.75 2.75h3v10.5h-3zM5.75 2.75h3v10.5h-3zM9.6 3.5l2.8-.75 2.6 9.75-2.8.75z" />
  </Icon>
);
export const FilmIcon = () => (
  <Icon>
    <path d="M2.75 3.25h10.5v9.5H2.75zM5.25 3.25v9.5M10.75 3.25v9.5M2.75 8h10.5" />
  </Icon>
);
export const SendIcon = () => (
  <Icon>
    <path d="M13.5 2.5 2.5 7l4.25 2.25L9 13.5zM6.75 9.25l3.5-3.5" />
  </Icon>
);
export const ImageIcon = () => (
  <Icon>
    <path d="M2.25 3.25h11.5v9.5H2.25zM2.5 11l3.25-3.25 2.5 2.5 2-2 3.25 3.25" />
    <circle cx="10.5" cy="5.9" r=".9" />
  </Icon>
);
export const DownloadIcon = () => (
  <Icon>
    <path d="M8 2.5v7.25M4.75 6.75 8 10l3.25-3.25M3 13.25h10" />
  </Icon>
);
export const TrashIcon = () => (
  <Icon>
    <path d="M3 4.5h10M6 4.5v-2h4v2M4.25 4.5l.6 8.75h6.3l.6-8.75M6.75 7v3.75M9.25 7v3.75" />
  </Icon>
);
// As large as the marks of ends.
export const ShelfIcon = () => (
  <svg class="mark" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
    <path
      d="M2 3.25h10v2.5H2zM3 5.75v5.5h8v-5.5M5.75 8h2.5"
      fill="none"
      stroke="currentColor"
      stroke-width="1.2"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);
export const SearchIcon = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.25" />
    <path d="m10.2 10.2 3.3 3.3" />
  </Icon>
);
export const CrossIcon = () => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
);
export const LeftIcon = () => (
  <Icon>
    <path d="M10 3.5 5.5 8l4.5 4.5" />
  </Icon>
);
export const RightIcon = () => (
  <Icon>
    <path d="M6 3.5 10.5 8 6 12.5" />
  </Icon>
);
export const LeaveIcon = () => (
  <Icon>
    <path d="M6.5 2.75H3.25v10.5H6.5M10 5l3 3-3 3M13 8H6.5" />
  </Icon>
);
export const KeysIcon = () => (
  <Icon>
    <rect x="1.75" y="4" width="12.5" height="8" rx="1.5" />
    <path d="M4.5 6.75h.01M7 6.75h.01M9.5 6.75h.01M11.75 6.75h.01M5 9.5h6" />
  </Icon>
);
export const SunIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="2.75" />
    <path d="M8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9" />
  </Icon>
);
export const MoonIcon = () => (
  <Icon>
    <path d="M13.25 9.5A5.5 5.5 0 0 1 6.5 2.75a5.5 5.5 0 1 0 6.75 6.75Z" />
  </Icon>
);
export const HalfIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.5" />
    <path d="M8 2.5a5.5 5.5 0 0 1 0 11Z" fill="currentColor" />
  </Icon>
);
export const FilterIcon = () => (
  <Icon>
    <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />
  </Icon>
);
export const PauseIcon = () => (
  <Icon>
    <path d="M5.5 3.5v9M10.5 3.5v9" />
  </Icon>
);
export const PlayIcon = () => (
  <Icon>
    <path d="M5 3.25v9.5L12.5 8Z" />
  </Icon>
);
export const RetryIcon = () => (
  <Icon>
    <path d="M13 8a5 5 0 1 1-1.5-3.57M13 2.5v2.75h-2.75" />
  </Icon>
);
export const StopIcon = () => (
  <Icon>
    <rect x="3.75" y="3.75" width="8.5" height="8.5" rx="1.5" />
  </Icon>
);

// Ends differ in shape as well as in colour, and so does a partly arrived job.
export function EndMark({ end, busy = false }: { end: Look; busy?: boolean }) {
  const shapes: Record<Look, ComponentChildren> = {
    open: busy ? (
      <>
        <circle cx="7" cy="7" r="5.25" class="mark-ring" />
        <path d="M7 1.75A5.25 5.25 0 0 1 12.25 7" class="mark-turn" />
      </>
    ) : (
      <circle cx="7" cy="7" r="5.25" class="mark-line" stroke-dasharray="2.6 2.2" />
    ),
    good: (
      <>
        <circle cx="7" cy="7" r="6.25" class="mark-fill" />
        <path d="m4.25 7.25 2 2 3.5-4.25" class="mark-cut" />
      </>
    ),
    bad: (
      <>
        <path d="M7 .9 13.1 7 7 13.1.9 7Z" class="mark-fill mark-round" />
        <path d="M7 4.25v3.2M7 9.6v.01" class="mark-cut" />
      </>
    ),
    partly: (
      <>
        <circle cx="7" cy="7" r="5.25" class="mark-line" />
        <path d="M7 1.75A5.25 5.25 0 0 1 7 12.25Z" class="mark-fill" />
      </>
    ),
    stopped: (
      <>
        <rect x="1.25" y="1.25" width="11.5" height="11.5" rx="2" class="mark-fill" />
        <path d="M4.5 7h5" class="mark-cut" />
      </>
    ),
  };
  return (
    <svg
      class={`mark end-${end}`}
      width="14"
      height="14"
      viewBox="0 0 14 14"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[end]}
    </svg>
  );
}
