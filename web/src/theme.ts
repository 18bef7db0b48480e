// Dark, light, or the system's choice. Stored in this browser only.

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'haul.theme';
const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

export function saved_theme(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system'; // Storage may be forbidden.
  }
}

export function apply_theme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the theme lasts until the page is closed.
  }
}

export function next_theme(theme: Theme): Theme {
  return NEXT[theme];
}
