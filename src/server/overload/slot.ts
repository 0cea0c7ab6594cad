import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { busy, tooMany } from '../errors.ts'
import { limits } from '../limits.ts'
import type { LimiterName } from './admission.ts'
import type { ConcurrencyLimiter } from './concurrency-limiter.ts'

/** A request's slot in the concurrency limiter of its lane. A request that only waits gives it back, so that others can use it. */
export type Slot = {
  /** Gives the slot back for good: what is left to do costs nothing. */
  release: () => void
  /** Gives the slot back and waits `ms`. Throws 429 when too many requests wait like this. */
  wait: (ms: number) => Promise<void>
  /** Gives the slot back and queues for one of `lane`, or of the lane it was in. Throws 503 when that lane is full or the client is gone. */
  acquire: (lane?: LimiterName) => Promise<void>
}

/** The slot of a request that no limiter counts, such as one in process. */
export const freeSlot: Slot = { release: () => {}, wait: async (ms) => void (await pause(ms)), acquire: async () => {} }

type Held = {
  request: IncomingMessage
  response: ServerResponse
  lanes: Record<LimiterName, ConcurrencyLimiter>
  lane: LimiterName
  release: () => void
}
/** What all slots of a process share: how they wait, and how many do. */
export type Waiting = { pause: (ms: number) => Promise<unknown>; count: number }

/** The slot of a request that was admitted to `lane`. */
export function slotOf({ request, response, lanes, ...held }: Held, waiting: Waiting): Slot {
  let { lane, release } = held
  return {
    release: () => release(),
    wait: async (ms) => {
      release()
      if (waiting.count >= limits.admission.waiting) tooMany(ms / 1_000)
      waiting.count++
      try {
        await waiting.pause(ms)
      } finally {
        waiting.count--
      }
    },
    acquire: (next = lane) => {
      release()
      lane = next
      return new Promise((resolve, reject) => {
        const refuse = () => reject(busy())
        if (response.destroyed || response.writableEnded) return refuse()
        response.once('close', refuse)
        const start = (free: () => void) => {
          response.off('close', refuse)
          release = free
          resolve()
        }
        lanes[next].enter({ request, response }, start, refuse)
      })
    },
  }
}
