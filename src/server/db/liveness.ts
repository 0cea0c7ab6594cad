import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

const slowAfterMs = 900
const lookEveryMs = 150
const answerWithinMs = 800

type Line = { client: pg.Client; connected: Promise<unknown> }

/**
 * A frozen or unplugged server hangs up on nobody: a query would wait for minutes. So when one takes about a second, the server is
 * asked over a connection of our own; if that hears nothing either, every connection of the pool is cut and its queries fail at once.
 * A slow query on a living server is left alone.
 */
export function watchLiveness(pool: pg.Pool, config: pg.ClientConfig, log: Pick<Logger, 'warn'>): { end: () => void } {
  const open = new Set<pg.PoolClient>()
  const takenAt = new Map<pg.PoolClient, number>()
  let line: Line | undefined
  let asking = false

  function dial(): Line {
    const client = new pg.Client(config)
    const mine: Line = { client, connected: client.connect() }
    const lost = () => {
      if (line === mine) line = undefined
    }
    mine.connected.catch(lost)
    client.on('error', lost).on('end', lost)
    return mine
  }

  async function answers(): Promise<boolean> {
    line ??= dial()
    const { client, connected } = line
    // Words of refusal are an answer too: they come from a living server.
    const answer = connected
      .then(() => client.query('select 1'))
      .then(
        () => true,
        (error) => error instanceof pg.DatabaseError,
      )
    // If it was this process that stood still, the answer lies unread by now: one turn of the event loop fetches it.
    const silence = sleep(answerWithinMs).then(() => turn(false))
    const answered = await Promise.race([answer, silence])
    if (!answered) cut(client)
    return answered
  }

  async function look(): Promise<void> {
    if (asking || performance.now() - Math.min(...takenAt.values()) < slowAfterMs) return
    asking = true
    if (await answers()) {
      for (const client of takenAt.keys()) takenAt.set(client, performance.now())
    } else {
      log.warn({ connections: open.size }, 'the database does not answer, cutting its connections')
      for (const client of open) cut(client)
    }
    asking = false
  }

  pool.on('connect', (client) => {
    open.add(client)
    line ??= dial()
  })
  pool.on('acquire', (client) => takenAt.set(client, performance.now()))
  pool.on('release', (_error, client) => takenAt.delete(client))
  pool.on('remove', (client) => {
    open.delete(client)
    takenAt.delete(client)
  })
  const timer = setInterval(() => void look(), lookEveryMs)
  timer.unref()
  return {
    end: () => {
      clearInterval(timer)
      const last = line
      last?.connected.then(() => last.client.end()).catch(() => {})
    },
  }
}

/** Without a farewell, which nobody would read. */
function cut(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } }
  connection.stream.destroy()
}
