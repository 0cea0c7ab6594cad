import { setTimeout as pause } from 'node:timers/promises'

/** What `work` gives, no sooner than after `leastMs`: how long it took tells nothing about what was found. Throws what `work` throws. */
export async function evenly<T>(leastMs: number, work: () => Promise<T>): Promise<T> {
  const [done] = await Promise.all([work(), pause(leastMs)])
  return done
}
