import { useCallback, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
const inMemory = new Map<string, string>()

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return inMemory.get(key) ?? ''
  }
}

function write(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // Some private windows deny storage; the value then lasts until the page is closed.
    inMemory.set(key, text)
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns a string in localStorage and its setter. The string is empty until hydration and while nothing is stored. */
export function useLocalStorage(key: string): [text: string, setText: (text: string) => void] {
  const text = useSyncExternalStore(
    subscribe,
    () => read(key),
    () => '',
  )
  return [text, useCallback((next: string) => write(key, next), [key])]
}
