import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { listen } from '../http/listen.ts'
import { limits } from '../limits.ts'
import { collectFromAll, type MetricsMessage } from '../observability/cluster-metrics.ts'
import { startEmbedded } from '../postgres/embedded.ts'
import { waitForEmptyBacklog } from './drain.ts'
import { exitGracefully } from './graceful-exit.ts'
import type { WorkerMessage } from './worker.ts'

const minBackoffMs = 100
const maxBackoffMs = 10_000
/** A process that ran this long is not crash-looping: reset its back-off. */
const stableMs = 60_000

type Worker = {
  number: number
  child: ChildProcess
  isAccepting: boolean
  inTransit: number
  ready: Promise<boolean>
  ended: Promise<string>
}

/**
 * Runs the cluster: forks `config.processes` workers (this program, `main`) behind one port, distributes connections among them, restarts
 * workers that end, and shuts everything down gracefully on a signal. The first worker migrates and seeds the database before the others start.
 * Throws with a message for the operator if the database or the port is unavailable.
 */
export async function runPrimary(main: string, config: Config, log: Logger): Promise<void> {
  // The workers use this server too. It runs as long as the primary process, even while no worker runs.
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbedded({ dataDir: config.dataDir, log, processes: config.processes })
      : undefined
  const running = new Set<Worker>()
  let isClosing = false
  let turn = 0

  const port = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
    const accepting = [...running].filter(({ isAccepting }) => isAccepting)
    // Round robin among the workers with the fewest connections in transit: handed over, but not received yet.
    const least = Math.min(...accepting.map(({ inTransit }) => inTransit))
    const chosen = accepting
      .map((_, at) => accepting[(turn + at) % accepting.length]!)
      .find(({ inTransit }) => inTransit === least)
    turn++
    if (!chosen) return void socket.destroy()
    chosen.inTransit++
    chosen.child.send('connection', socket, { keepOpen: false }, () => chosen.inTransit--)
  })

  /** Resolves when the port is closed and every accepted connection has been passed to a worker. */
  const { promise: isShut, resolve: shut } = Promise.withResolvers<void>()
  exitGracefully(
    log,
    [
      async (signal) => {
        isClosing = true
        const all = [...running]
        for (const { child } of all) child.kill(signal)
        // The workers keep accepting for this time (decision 026), then wait for `released`.
        if (signal !== 'SIGINT') await pause(limits.http.acceptMs)
        await waitForEmptyBacklog(() => turn, performance.now() + limits.http.quietMs)
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
    if (!(await first.ready)) throw new Error('The first server process did not start.')
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
  for (let number = 1; number <= config.processes; number++) void restartWhenEnded(number === 1 ? first : start(number))

  function start(number: number): Worker {
    // Workers do not import the lifeline module: their IPC channel already closes when this process ends.
    const execArgv = process.execArgv.filter((flag, at, all) => flag !== '--import' && all[at - 1] !== '--import')
    const child = fork(main, [`--process=${number}`], { execArgv })
    const ended = new Promise<string>((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`)),
    )
    const { promise: isReady, resolve: ready } = Promise.withResolvers<boolean>()
    const started: Worker = {
      number,
      child,
      isAccepting: false,
      inTransit: 0,
      ready: Promise.race([isReady, ended.then(() => false)]),
      ended,
    }
    running.add(started)
    const release = async () => {
      if (isClosing) await isShut
      started.isAccepting = false
      // Messages arrive in order, so the worker has received every connection before this one.
      child.send('released')
    }
    child.on('message', (message: WorkerMessage | MetricsMessage) => {
      if (message === 'draining') void release()
      else if (message === 'ready') {
        ready(true)
        started.isAccepting = true
      } else {
        const all = [...running].map((each) => each.child)
        void collectFromAll(child, message, all)
      }
    })
    void ended.then(() => running.delete(started))
    return started
  }

  async function restartWhenEnded(current: Worker): Promise<void> {
    for (let pauseMs = minBackoffMs; !isClosing; pauseMs = Math.min(2 * pauseMs, maxBackoffMs)) {
      const since = performance.now()
      const by = await current.ended
      if (isClosing) return
      if (performance.now() - since > stableMs) pauseMs = minBackoffMs
      log.error({ ended: current.number, by, restartsInMs: pauseMs }, 'a server process ended and will be restarted')
      await pause(pauseMs)
      if (!isClosing) current = start(current.number)
    }
  }
}
