import type { Logger } from 'pino'
import { isUnavailable } from '#server/db/connect.ts'
import { changed } from '#server/live/notify.ts'
import { type Publisher, publish, unpublish } from './publication.ts'

export type Watch = {
  /** Called when an administrator requests the list from the process with this id. */
  onRequest: (processId: string) => void
  stop: () => Promise<void>
}
type Options = Publisher & { log: Pick<Logger, 'warn'>; tickMs?: number; watchMs?: number }

/** Delay before the rows of dead processes are deleted, in milliseconds. They are ignored after fifteen seconds. */
const staleMs = 20_000
/** How often unchanged visitors are published again as a heartbeat, in milliseconds. */
const heartbeatMs = 5_000
const sweepMs = 60_000

/**
 * While an administrator views the list, and for `watchMs` after the last request, publishes this process's visitors if the request went to
 * another process, and notifies the open pages of administrators of changes, at most every `tickMs`. Otherwise writes nothing.
 */
export function watchVisitors({ tickMs = 2_000, watchMs = 30_000, ...publisher }: Options): Watch {
  const { db, presence, log } = publisher
  let watchedUntil = 0
  let publishingUntil = 0
  let publishedAt = 0
  let hasChanged = false
  let hasPublished = false
  let ticking: NodeJS.Timeout | undefined
  let work = Promise.resolve()

  const logFailure = (error: Error) => {
    if (!isUnavailable(error)) log.warn({ message: error.message }, 'visitors could not be published')
  }
  /** Runs tasks one after another, so that an older state never overwrites a newer one. */
  const enqueue = (task: () => Promise<void>): Promise<void> => {
    work = work.then(task).catch(logFailure)
    return work
  }
  const publishNow = async () => {
    publishedAt = Date.now()
    hasPublished = true
    await publish(publisher)
  }
  const tick = () =>
    enqueue(async () => {
      const now = Date.now()
      const isNew = hasChanged
      hasChanged = false
      if (now < publishingUntil && (isNew || now - publishedAt > heartbeatMs)) await publishNow()
      if (now < watchedUntil && isNew) await changed(db, 'visitor')
      if (now > watchedUntil) await stopPublishing()
    })
  const stopPublishing = async () => {
    clearInterval(ticking)
    ticking = undefined
    if (!hasPublished) return
    hasPublished = false
    await unpublish(publisher)
    setTimeout(() => ticking ?? enqueue(() => unpublish(publisher)), staleMs).unref()
  }

  presence.onChange(() => {
    hasChanged = true
  })
  const sweep = setInterval(() => presence.removeExpired(), sweepMs).unref()
  void enqueue(() => unpublish(publisher))
  return {
    onRequest: (processId) => {
      const now = Date.now()
      watchedUntil = now + watchMs
      if (processId !== presence.processId) {
        const isNew = now > publishingUntil
        publishingUntil = watchedUntil
        if (isNew) void enqueue(publishNow)
      }
      ticking ??= setInterval(tick, tickMs).unref()
    },
    stop: async () => {
      clearInterval(sweep)
      clearInterval(ticking)
      ticking = undefined
      if (hasPublished) await enqueue(() => unpublish(publisher))
      await work
    },
  }
}
