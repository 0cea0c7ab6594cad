import { useSyncExternalStore } from 'react'

const everyMs = 20_000
let now: Date | undefined
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  now = new Date()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) timer = setInterval(tick, everyMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

/** Returns the current time, updated every 20 seconds and at the same moment in all components; undefined on the server and during hydration. */
export const useNow = (): Date | undefined =>
  useSyncExternalStore(
    subscribe,
    () => {
      now ??= new Date()
      return now
    },
    () => undefined,
  )
