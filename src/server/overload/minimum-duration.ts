import { setTimeout as pause } from 'node:timers/promises'
import { freeSlot, type Slot } from './slot.ts'

/**
 * What `work` gives, no sooner than after `leastMs`: how long it took tells nothing about what was found. Throws what `work` throws.
 * The request's slot is given back as soon as the work is done.
 */
export async function withMinimumDuration<T>(
  leastMs: number,
  work: () => Promise<T>,
  slot: Slot = freeSlot,
): Promise<T> {
  const [done] = await Promise.all([work().finally(() => slot.release()), pause(leastMs)])
  return done
}
