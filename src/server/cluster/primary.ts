import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { listen } from '../http/listen.ts'
import { limits } from '../limits.ts'
import { type AboutMetrics, answerForAll } from '../observability/cluster-metrics.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { quietMoment } from './drain.ts'
import { exitGracefully } from './graceful-exit.ts'
import type { WorkerMessage } from './worker.ts'

const firstPauseMs = 100
const longestPauseMs = 10_000
/** Whoever served this long before it ended did not end because it cannot start. */
const soundMs = 60_000

type Started = {
  number: number
  child: ChildProcess
  isTaking: boolean
  waiting: number
  ready: Promise<boolean>
  ended: Promise<string>
}

/**
 * Starts `config.processes` server processes (`main`, this program again) behind one port and looks after them: connections are
 * handed out in turn, a process that ends is started again, a signal ends them all with nobody cut off. The first one migrates and
 * fills the database before the others start. Throws with a sentence for the operator when database or port cannot be had.
 */
export async function runPrimary(main: string, config: Config, log: Logger): Promise<void> {
  // Adopted by the processes, and kept for as long as this one lives, even while none of them does.
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, log, processes: config.processes })
      : undefined
  const running = new Set<Started>()
  let isClosing = false
  let turn = 0

  const port = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
    const taking = [...running].filter(({ isTaking }) => isTaking)
    // In turn, but past a process that does not even take what it was given before.
    const least = Math.min(...taking.map(({ waiting }) => waiting))
    const chosen = taking.map((_, at) => taking[(turn + at) % taking.length]!).find(({ waiting }) => waiting === least)
    turn++
    if (!chosen) return void socket.destroy()
    chosen.waiting++
    chosen.child.send('connection', socket, { keepOpen: false }, () => chosen.waiting--)
  })

  /** Nobody is let in any more, and whoever was has been handed over. */
  const { promise: isShut, resolve: shut } = Promise.withResolvers<void>()
  exitGracefully(
    log,
    [
      async (signal) => {
        isClosing = true
        const all = [...running]
        for (const { child } of all) child.kill(signal)
        // The processes go on taking for as long (decision 026), and then wait for this.
        if (signal !== 'SIGINT') await pause(limits.http.acceptMs)
        await quietMoment(() => turn, performance.now() + limits.http.quietMs)
        port.close()
        shut()
        await Promise.all(all.map(({ ended }) => ended))
      },
      () => embedded?.stop(),
    ],
    limits.http.drainMs + 4_000,
  )

  const first = start(1)
  try {
    if (!(await first.ready)) throw new Error('The first server process did not come up.')
    await listen(port, config)
  } catch (error) {
    if (isClosing) return
    isClosing = true
    first.child.kill('SIGTERM')
    await first.ended
    await embedded?.stop()
    throw error
  }
  log.info({ url: config.publicUrl, processes: config.processes }, 'listening')
  for (let number = 1; number <= config.processes; number++) void keep(number === 1 ? first : start(number))

  function start(number: number): Started {
    // The lifeline to the command line is not for them: their channel ends with this process too.
    const execArgv = process.execArgv.filter((flag, at, all) => flag !== '--import' && all[at - 1] !== '--import')
    const child = fork(main, [`--process=${number}`], { execArgv })
    const ended = new Promise<string>((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`)),
    )
    const { promise: isReady, resolve: ready } = Promise.withResolvers<boolean>()
    const started: Started = {
      number,
      child,
      isTaking: false,
      waiting: 0,
      ready: Promise.race([isReady, ended.then(() => false)]),
      ended,
    }
    running.add(started)
    const letGo = async () => {
      if (isClosing) await isShut
      started.isTaking = false
      // Behind every connection that was handed over: none is on its way any more.
      child.send('left')
    }
    child.on('message', (said: WorkerMessage | AboutMetrics) => {
      if (said === 'leaving') void letGo()
      else if (said === 'ready') {
        ready(true)
        started.isTaking = true
      } else {
        const all = [...running].map((each) => each.child)
        void answerForAll(child, said, all)
      }
    })
    void ended.then(() => running.delete(started))
    return started
  }

  async function keep(current: Started): Promise<void> {
    for (let pauseMs = firstPauseMs; !isClosing; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const since = performance.now()
      const by = await current.ended
      if (isClosing) return
      if (performance.now() - since > soundMs) pauseMs = firstPauseMs
      log.error({ ended: current.number, by, startsInMs: pauseMs }, 'a server process ended and is started again')
      await pause(pauseMs)
      if (!isClosing) current = start(current.number)
    }
  }
}
