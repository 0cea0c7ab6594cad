import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

const slowAfterMs = 900
const checkEveryMs = 150
const answerWithinMs = 800

type Probe = { client: pg.Client; connected: Promise<unknown> }

/**
 * Detects a frozen or unplugged server. Such a server closes no connection, so a query on it would wait for minutes. When a query takes about a
 * second, the server is probed over a separate connection; if the probe is not answered either, every connection of the pool is destroyed, and its
 * queries fail. A slow query continues if the server answers the probe.
 */
export function watchLiveness(pool: pg.Pool, config: pg.ClientConfig, log: Pick<Logger, 'warn'>): { end: () => void } {
  const open = new Set<pg.PoolClient>()
  const acquiredAt = new Map<pg.PoolClient, number>()
  let probe: Probe | undefined
  let isChecking = false

  function connectProbe(): Probe {
    const client = new pg.Client(config)
    const connecting: Probe = { client, connected: client.connect() }
    const onLost = () => {
      if (probe === connecting) probe = undefined
    }
    connecting.connected.catch(onLost)
    client.on('error', onLost).on('end', onLost)
    return connecting
  }

  async function isAnswering(): Promise<boolean> {
    probe ??= connectProbe()
    const { client, connected } = probe
    // An error message from the server is an answer too.
    const answer = connected
      .then(() => client.query('select 1'))
      .then(
        () => true,
        (error) => error instanceof pg.DatabaseError,
      )
    // If this process was blocked, the answer has arrived but is not read yet: one turn of the event loop reads it.
    const timeout = sleep(answerWithinMs).then(() => nextTurn(false))
    const answered = await Promise.race([answer, timeout])
    if (!answered) destroy(client)
    return answered
  }

  async function check(): Promise<void> {
    if (isChecking || performance.now() - Math.min(...acquiredAt.values()) < slowAfterMs) return
    isChecking = true
    if (await isAnswering()) {
      for (const client of acquiredAt.keys()) acquiredAt.set(client, performance.now())
    } else {
      log.warn({ connections: open.size }, 'database does not answer: closing its connections')
      for (const client of open) destroy(client)
    }
    isChecking = false
  }

  pool.on('connect', (client) => {
    open.add(client)
    probe ??= connectProbe()
  })
  pool.on('acquire', (client) => acquiredAt.set(client, performance.now()))
  pool.on('release', (_error, client) => acquiredAt.delete(client))
  pool.on('remove', (client) => {
    open.delete(client)
    acquiredAt.delete(client)
  })
  const timer = setInterval(() => void check(), checkEveryMs)
  timer.unref()
  return {
    end: () => {
      clearInterval(timer)
      const last = probe
      last?.connected.then(() => last.client.end()).catch(() => {})
    },
  }
}

/** Closes the socket without the protocol's termination message, which a frozen server would not read. */
function destroy(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } }
  connection.stream.destroy()
}
