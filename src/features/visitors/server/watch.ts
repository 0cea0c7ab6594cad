import type { Logger } from 'pino'
import { isUnavailable } from '#server/db/connect.ts'
import { notifyAdmins } from '#server/live/notify.ts'
import { listActiveVisitors } from '../contract.ts'
import { type Publisher, publish, unpublish } from './publication.ts'

export type Watch = {
  /** An administrator looks, at the process of this id. */
  asked: (processId: string) => void
  stop: () => Promise<void>
}
type Options = Publisher & { log: Pick<Logger, 'warn'>; tickMs?: number; watchMs?: number }

/** A process that is gone leaves its row; it counts no longer after fifteen seconds. */
const goneMs = 20_000
/** Published again this often although nothing changed, as a sign of life. */
const lifeMs = 5_000
const sweepMs = 60_000

/**
 * While an administrator looks, and half a minute longer: publishes this process's visitors if the question came to another
 * process, and tells administrators' open pages of changes, every two seconds at most. While nobody looks nothing is written.
 */
export function watchVisitors({ tickMs = 2_000, watchMs = 30_000, ...publisher }: Options): Watch {
  const { db, presence, log } = publisher
  let watchedUntil = 0
  let publishesUntil = 0
  let publishedAt = 0
  let hasChanged = false
  let hasPublished = false
  let ticking: NodeJS.Timeout | undefined
  let work = Promise.resolve()

  const complain = (error: Error) => {
    if (!isUnavailable(error)) log.warn({ message: error.message }, 'the visitors could not be told')
  }
  /** One after the other, so that an older state never overwrites a newer one. */
  const inTurn = (task: () => Promise<void>): Promise<void> => {
    work = work.then(task).catch(complain)
    return work
  }
  const tell = async () => {
    publishedAt = Date.now()
    hasPublished = true
    await publish(publisher)
  }
  const tick = () =>
    inTurn(async () => {
      const now = Date.now()
      const isNews = hasChanged
      hasChanged = false
      if (now < publishesUntil && (isNews || now - publishedAt > lifeMs)) await tell()
      if (now < watchedUntil && isNews) await notifyAdmins(db, [listActiveVisitors.id])
      if (now > watchedUntil) await fallSilent()
    })
  const fallSilent = async () => {
    clearInterval(ticking)
    ticking = undefined
    if (!hasPublished) return
    hasPublished = false
    await unpublish(publisher)
    setTimeout(() => ticking ?? inTurn(() => unpublish(publisher)), goneMs).unref()
  }

  presence.onChange(() => {
    hasChanged = true
  })
  const sweep = setInterval(() => presence.removeExpired(), sweepMs).unref()
  void inTurn(() => unpublish(publisher))
  return {
    asked: (processId) => {
      const now = Date.now()
      watchedUntil = now + watchMs
      if (processId !== presence.processId) {
        const isNew = now > publishesUntil
        publishesUntil = watchedUntil
        if (isNew) void inTurn(tell)
      }
      ticking ??= setInterval(tick, tickMs).unref()
    },
    stop: async () => {
      clearInterval(sweep)
      clearInterval(ticking)
      ticking = undefined
      if (hasPublished) await inTurn(() => unpublish(publisher))
      await work
    },
  }
}
