import { useSyncExternalStore } from 'react'
import { themeKey } from './theme-script.ts'

export type Theme = 'light' | 'dark' | 'system'

const listeners = new Set<() => void>()

const read = (): Theme => {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const listener of listeners) listener()
}

/** Sets the theme and stores it in this browser. */
export function setTheme(theme: Theme): void {
  apply(theme)
  try {
    localStorage.setItem(themeKey, theme)
  } catch {
    // Some private windows deny storage; the choice then lasts until the page is closed.
  }
}

function subscribe(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key === themeKey)
      apply(event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : 'system')
  }
  listeners.add(listener)
  addEventListener('storage', fromOtherTab)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', fromOtherTab)
  }
}

/** Returns the chosen theme; `system` on the server and until hydration. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, read, () => 'system')
