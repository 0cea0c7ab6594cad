import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from './connection.ts'
import { isAlive, pidOf } from './process-identity.ts'

const loginPatienceMs = 5_000
// Errors while the server starts: no socket yet, not listening yet, starting or recovering, connection closed while starting.
const startingErrors = ['ENOENT', 'ECONNREFUSED', '57P03', 'ECONNRESET', 'EPIPE']

/**
 * Waits until the server accepts logins, which is later than connections because it may still be recovering. Returns false if the server ends before that.
 * Throws if it refuses the login or runs without answering.
 */
export async function waitForLogin(identity: string, connection: Connection): Promise<boolean> {
  // The server has not yet written its socket folder to the pid file.
  if (connection.host === '') await sleep(8)
  while (connection.host !== '' && isAlive(identity)) {
    const error = await logIn(connection)
    if (!error || error.code === '53300') return true
    if (error.message === 'timeout expired')
      throw new Error(`PostgreSQL (process ${pidOf(identity)}, socket in ${connection.host}) runs but does not answer.`)
    if (!startingErrors.includes(error.code ?? '') && !error.message.startsWith('Connection terminated')) throw error
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
