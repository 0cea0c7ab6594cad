import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { startWorkerLoop, type WorkerLoop } from '#server/jobs/worker-loop.ts'
import type { WorkerContext } from './config.ts'
import { requestComparison } from './drift/compare.ts'
import { expireLines } from './expire-lines.ts'
import { forgetMoves } from './moves/run-moves.ts'
import { panelIds } from './panel-rows/read-panels.ts'
import { runPanel } from './worker/run.ts'

/** Scheduled jobs that queue work; the worker makes the calls to the panel. */
export const jobs = (db: Db): Job[] => [
  { name: 'forget-moves', cron: '41 3 * * *', run: () => forgetMoves(db) },
  { name: 'compare-lines', cron: '17 4 * * *', run: () => requestComparison(db) },
  {
    name: 'end-lines',
    cron: '* * * * *',
    run: () => expireLines(db),
    dueDates: async () => {
      const { graceDays } = await settings.read(db, 'provisioning')
      return sql`SELECT wanted_until + interval '24 hours' * ${graceDays}::int AS at FROM lines WHERE wanted_enabled`
    },
  },
]

export type LineWorker = Omit<WorkerLoop, 'run'> & { jobs: Job[] }

/**
 * How many milliseconds the scheduled job waits for the rounds that it starts. The rounds continue after that: a long queue must not delay the rounds of the
 * other panels.
 */
const maxWaitMs = 30_000

const failureMessage = 'line jobs could not be processed'

/**
 * Starts the worker, with a loop for each panel, so that a panel that is slow or has a long queue does not delay the others. The loops run when the worker is
 * woken (`wake`) and once a minute. `stop` waits for the calls in progress. Wake-ups that arrive together read the list of panels once.
 */
export function startLineWorker(context: WorkerContext): LineWorker {
  const { db, log } = context
  const loops = new Map<number, WorkerLoop>()
  let isStopping = false
  const loopOf = (id: number): WorkerLoop => {
    const loop =
      loops.get(id) ??
      startWorkerLoop({
        log,
        failureMessage,
        round: (signal) => runPanel(context, id, signal),
      })
    loops.set(id, loop)
    return loop
  }
  const loopsOfAll = async () => {
    const ids = await panelIds(db)
    return isStopping ? [] : ids.map(loopOf)
  }
  const run = async () => {
    const rounds = Promise.all((await loopsOfAll()).map((loop) => loop.run()))
    const done = await Promise.race([rounds, pause(maxWaitMs, [0], { ref: false })])
    // A failure after this wait is ignored here. If the next round fails too, the request for that round logs it.
    rounds.catch(() => undefined)
    return done.reduce((sum, count) => sum + count, 0)
  }
  const waking = startWorkerLoop({
    log,
    failureMessage,
    round: async () => {
      for (const loop of await loopsOfAll()) loop.wake()
      return 0
    },
  })
  return {
    wake: waking.wake,
    stop: async () => {
      isStopping = true
      await waking.stop()
      await Promise.all([...loops.values()].map((loop) => loop.stop()))
    },
    jobs: [{ name: 'provision-lines', cron: '* * * * *', run }],
  }
}
