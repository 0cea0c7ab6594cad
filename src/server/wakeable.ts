import type { Logger } from 'pino'

/** `wake` has the work looked at now, `run` waits for that and returns how much was done; `stop` waits for what is on its way. */
export type Wakeable = { wake: () => void; run: () => Promise<number>; stop: () => Promise<void> }
type Options = { log: Pick<Logger, 'error'> /** What the log says when a round fails. */; complaint: string; round: (signal: AbortSignal) => Promise<number> }

/** Work that one process does in rounds, one at a time, as soon as somebody asks. */
export function wakeable({ log, complaint, round }: Options): Wakeable {
  const stopping = new AbortController()
  let running: Promise<number> | undefined
  let isAsked = false
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
      isAsked = false
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
