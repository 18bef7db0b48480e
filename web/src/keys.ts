// Single-key shortcuts. Users whose speech input or switches type letters can turn them off.

const KEY = 'haul.keys';

export function keys_on(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function set_keys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // Without storage the setting stays as it is.
  }
}

// True if a key press is meant for the page and not for a field or an open dialog.
export function is_shortcut(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !keys_on())
    return false;
  const target = event.target as HTMLElement | null;
  if (target?.closest('dialog')) return false;
  if (target?.isContentEditable) return false;
  if (target instanceof HTMLInputElement)
    return target.type === 'checkbox' || target.type === 'radio';
  return !(target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement);
}
