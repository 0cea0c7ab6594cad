import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { busy, tooMany } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ConcurrencyLimiter, LimiterName } from './concurrency-limiter.ts'

/** A request's slot in a concurrency limiter. A request that only waits releases it for others. */
export type Slot = {
  /** Releases the slot: the remaining work is negligible. */
  release: () => void
  /** Releases the slot and waits `ms` milliseconds. Throws 429 if too many requests are waiting without a slot. */
  wait: (ms: number) => Promise<void>
  /** Releases the slot and waits for a slot of `limiter`, by default the same limiter. Throws 503 if the queue is full or the client has disconnected. */
  acquire: (limiter?: LimiterName) => Promise<void>
}

/** The slot of a request that no limiter counts, for example one made inside the process. */
export const unlimitedSlot: Slot = {
  release: () => {},
  wait: async (ms) => void (await pause(ms)),
  acquire: async () => {},
}

type AdmittedRequest = {
  request: IncomingMessage
  response: ServerResponse
  limiters: Record<LimiterName, ConcurrencyLimiter>
  limiter: LimiterName
  release: () => void
}
/** Shared by all slots of a process: `pause` makes a request wait without a slot, and `count` is how many are waiting. */
export type WaitingRequests = { pause: (ms: number) => Promise<unknown>; count: number }

/** Returns the slot of a request that `limiter` has admitted. */
export function slotOf({ request, response, limiters, ...admitted }: AdmittedRequest, waiting: WaitingRequests): Slot {
  let { limiter, release } = admitted
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
    acquire: (next = limiter) => {
      release()
      limiter = next
      return new Promise((resolve, reject) => {
        const refuse = () => reject(busy())
        if (response.destroyed || response.writableEnded) return refuse()
        response.once('close', refuse)
        const start = (free: () => void) => {
          response.off('close', refuse)
          release = free
          resolve()
        }
        limiters[next].enter({ request, response }, start, refuse)
      })
    },
  }
}
