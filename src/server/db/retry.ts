import { setTimeout as sleep } from 'node:timers/promises'
import { is } from 'drizzle-orm'
import { PgTransaction, type PgTransactionConfig } from 'drizzle-orm/pg-core'
import type { Db, Tx } from './types.ts'

const tries = 3
// Serialisation failure and deadlock: PostgreSQL undid the transaction because of another one, and asks to try again.
const undoneByAnother = ['40001', '40P01']

/**
 * Runs `work` in one transaction, up to three times when another transaction got in its way; so `work` does nothing but talk to `tx`.
 * Inside a transaction it joins that one as a savepoint, and the outermost tries again.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, config?: PgTransactionConfig): Promise<T> {
  if (is(db, PgTransaction)) return db.transaction(work)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work, config)
    } catch (error) {
      if (attempt === tries || !undoneByAnother.includes(sqlStateOf(error) ?? '')) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

/** PostgreSQL's code of an error or of what caused it, such as `23505` for a taken unique key; with it goes the constraint's name. */
export function violationOf(error: unknown): { code: string; constraint: string | undefined } | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, constraint } = cause as { code?: string; constraint?: string }
    if (code && /^[0-9A-Z]{5}$/.test(code)) return { code, constraint }
  }
  return undefined
}

const sqlStateOf = (error: unknown): string | undefined => violationOf(error)?.code
