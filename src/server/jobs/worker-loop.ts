import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'

/** `wake` requests a round. `run` requests a round, waits for it and returns the amount of work done. `stop` waits for the current round. */
export type WorkerLoop = { wake: () => void; run: () => Promise<number>; stop: () => Promise<void> }
type Options = {
  log: Pick<Logger, 'error'>
  /** The log message when a round fails. */
  failureMessage: string
  round: (signal: AbortSignal) => Promise<number>
}

/** The minimum time between the starts of two rounds. */
const gapMs = 200

/** Runs `round` in this process whenever it is requested, one round at a time. Requests during a round or its gap are combined into the next one. */
export function startWorkerLoop({ log, failureMessage, round }: Options): WorkerLoop {
  const stopping = new AbortController()
  let running: Promise<number> | undefined
  let isRequested = false
  let nextAt = 0
  const run = (): Promise<number> => {
    // A request during a round may be about work that the current round did not find, so another round must follow.
    isRequested = true
    running ??= rounds().finally(() => {
      running = undefined
    })
    return running
  }
  const rounds = async () => {
    let done = 0
    while (isRequested && !stopping.signal.aborted) {
      const wait = nextAt - performance.now()
      if (wait > 0) await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) break
      isRequested = false
      nextAt = performance.now() + gapMs
      done += await round(stopping.signal)
    }
    return done
  }
  return {
    wake: () => void run().catch((error: Error) => log.error({ message: error.message }, failureMessage)),
    run,
    stop: async () => {
      stopping.abort()
      await running?.catch(() => undefined)
    },
  }
}
