import { useCallback, useMemo, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
const unkept = new Map<string, string>()

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return unkept.get(key) ?? ''
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // Storage is refused in some private windows; the choice then lasts for this page.
    unkept.set(key, text)
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The columns this browser hides in a table, by id; none until hydration. */
export function useHiddenColumns(table: string): [hidden: readonly string[], setHidden: (ids: readonly string[]) => void] {
  const key = `columns:${table}`
  const text = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => '',
  )
  const hidden = useMemo(() => text.split(',').filter(Boolean), [text])
  const setHidden = useCallback((ids: readonly string[]) => write(key, ids.join(',')), [key])
  return [hidden, setHidden]
}
