import { setTimeout as pause } from 'node:timers/promises'
import { type Slot, unlimitedSlot } from './slot.ts'

/**
 * Resolves with the result of `work`, but not before `minimumMs` milliseconds, so that the response time reveals nothing about what was
 * found. Rethrows what `work` throws, after the same time. The request's slot is released as soon as the work is done.
 */
export async function withMinimumDuration<T>(
  minimumMs: number,
  work: () => Promise<T>,
  slot: Slot = unlimitedSlot,
): Promise<T> {
  const [done] = await Promise.all([work().finally(() => slot.release()), pause(minimumMs)])
  return done
}
