import { useCallback, useSyncExternalStore } from 'react'

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

/** A choice this browser keeps, as text; empty until hydration and while nothing was chosen. */
export function useStoredValue(key: string): [text: string, keep: (text: string) => void] {
  const text = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => '',
  )
  return [text, useCallback((next: string) => write(key, next), [key])]
}
