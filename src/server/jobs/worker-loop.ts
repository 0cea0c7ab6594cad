import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'

/** `wake` has the work looked at now, `run` waits for that and returns how much was done; `stop` waits for what is on its way. */
export type WorkerLoop = { wake: () => void; run: () => Promise<number>; stop: () => Promise<void> }
type Options = {
  log: Pick<Logger, 'error'> /** What the log says when a round fails. */
  complaint: string
  round: (signal: AbortSignal) => Promise<number>
}

/** From the start of one round to that of the next. */
const gapMs = 200

/** Work that one process does in rounds, one at a time, as soon as somebody asks. Who asks just after a round began is served together with all who ask meanwhile. */
export function startWorkerLoop({ log, complaint, round }: Options): WorkerLoop {
  const stopping = new AbortController()
  let running: Promise<number> | undefined
  let isAsked = false
  let nextAt = 0
  const run = (): Promise<number> => {
    // Whoever asks meanwhile may mean something that this round did not see.
    isAsked = true
    running ??= rounds().finally(() => {
      running = undefined
    })
    return running
  }
  const rounds = async () => {
    let done = 0
    while (isAsked && !stopping.signal.aborted) {
      const wait = nextAt - performance.now()
      if (wait > 0) await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) break
      isAsked = false
      nextAt = performance.now() + gapMs
      done += await round(stopping.signal)
    }
    return done
  }
  return {
    wake: () => void run().catch((error: Error) => log.error({ message: error.message }, complaint)),
    run,
    stop: async () => {
      stopping.abort()
      await running?.catch(() => undefined)
    },
  }
}
