// Every drawing of the page that is not a lifecycle. They take the colour of the text around them.
import type { ComponentChildren } from 'preact';
import type { End } from '../types';

function Icon({ children, size = 16 }: { children: ComponentChildren; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor"
      stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const PlusIcon = () => <Icon><path d="M8 3v10M3 8h10" /></Icon>;
export const ListIcon = () => <Icon><path d="M5.500 4h8M5.500 8h8M5.500 12h8M2.500 4h.01M2.500 8h.01M2.500 12h.01" /></Icon>;
export const SearchIcon = () => <Icon><circle cx="7" cy="7" r="4.250" /><path d="m10.200 10.200 3.300 3.300" /></Icon>;
export const CrossIcon = () => <Icon><path d="m4 4 8 8M12 4l-8 8" /></Icon>;
export const LeftIcon = () => <Icon><path d="M10 3.500 5.500 8l4.500 4.500" /></Icon>;
export const RightIcon = () => <Icon><path d="M6 3.500 10.500 8 6 12.500" /></Icon>;
export const LeaveIcon = () => <Icon><path d="M6.500 2.750H3.250v10.500H6.500M10 5l3 3-3 3M13 8H6.500" /></Icon>;
export const KeysIcon = () => <Icon><rect x="1.750" y="4" width="12.500" height="8" rx="1.500" /><path d="M4.500 6.750h.01M7 6.750h.01M9.500 6.750h.01M11.750 6.750h.01M5 9.500h6" /></Icon>;
export const SunIcon = () => <Icon><circle cx="8" cy="8" r="2.750" /><path d="M8 1.500v1.250M8 13.250v1.250M1.500 8h1.250M13.250 8h1.250M3.400 3.400l.9.900M11.700 11.700l.9.900M3.400 12.600l.9-.9M11.700 4.300l.9-.9" /></Icon>;
export const MoonIcon = () => <Icon><path d="M13.250 9.500A5.500 5.500 0 0 1 6.500 2.750a5.500 5.500 0 1 0 6.750 6.750Z" /></Icon>;
export const HalfIcon = () => <Icon><circle cx="8" cy="8" r="5.500" /><path d="M8 2.500a5.500 5.500 0 0 1 0 11Z" fill="currentColor" /></Icon>;
export const FilterIcon = () => <Icon><path d="M2.500 4h11M4.500 8h7M6.500 12h3" /></Icon>;
export const PauseIcon = () => <Icon><path d="M5.500 3.500v9M10.500 3.500v9" /></Icon>;
export const PlayIcon = () => <Icon><path d="M5 3.250v9.500L12.500 8Z" /></Icon>;
export const RetryIcon = () => <Icon><path d="M13 8a5 5 0 1 1-1.500-3.570M13 2.500v2.750h-2.750" /></Icon>;
export const StopIcon = () => <Icon><rect x="3.750" y="3.750" width="8.500" height="8.500" rx="1.500" /></Icon>;

// The four ends differ in shape as well as in colour.
export function EndMark({ end, busy = false }: { end: End; busy?: boolean }) {
  const shapes: Record<End, ComponentChildren> = {
    open: busy
      ? <><circle cx="7" cy="7" r="5.250" class="mark-ring" /><path d="M7 1.750A5.250 5.250 0 0 1 12.250 7" class="mark-turn" /></>
      : <circle cx="7" cy="7" r="5.250" class="mark-line" stroke-dasharray="2.600 2.200" />,
    good: <><circle cx="7" cy="7" r="6.250" class="mark-fill" /><path d="m4.250 7.250 2 2 3.500-4.250" class="mark-cut" /></>,
    bad: <><path d="M7 .9 13.100 7 7 13.100.9 7Z" class="mark-fill mark-round" /><path d="M7 4.250v3.200M7 9.600v.01" class="mark-cut" /></>,
    stopped: <><rect x="1.250" y="1.250" width="11.500" height="11.500" rx="2" class="mark-fill" /><path d="M4.500 7h5" class="mark-cut" /></>,
  };
  return <svg class={`mark end-${end}`} width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">{shapes[end]}</svg>;
}
