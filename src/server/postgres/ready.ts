import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from './embedded.ts'
import { isAlive, pidOf } from './process-identity.ts'

const loginPatienceMs = 5_000
// The socket is not there yet, nobody listens yet, starting or replaying, hung up while starting.
const comingUp = ['ENOENT', 'ECONNREFUSED', '57P03', 'ECONNRESET', 'EPIPE']

/**
 * Waits until somebody can log in: an accepting socket may still be replaying. False when the server ended meanwhile.
 * Throws when it refuses us or lives without answering.
 */
export async function acceptsLogins(identity: string, connection: Connection): Promise<boolean> {
  // Its process has not yet written down where its socket is.
  if (connection.host === '') await sleep(8)
  while (connection.host !== '' && isAlive(identity)) {
    const error = await logIn(connection)
    if (!error || error.code === '53300') return true
    if (error.message === 'timeout expired')
      throw new Error(`PostgreSQL (process ${pidOf(identity)}, socket in ${connection.host}) runs but does not answer.`)
    if (!comingUp.includes(error.code ?? '') && !error.message.startsWith('Connection terminated')) throw error
    await sleep(8)
  }
  return false
}

async function logIn(connection: Connection): Promise<(Error & { code?: string }) | undefined> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: loginPatienceMs })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(() => {})
  }
}
