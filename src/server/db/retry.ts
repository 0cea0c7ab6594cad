import { setTimeout as sleep } from 'node:timers/promises'
import { is } from 'drizzle-orm'
import { PgTransaction, type PgTransactionConfig } from 'drizzle-orm/pg-core'
import type { Db, Tx } from './types.ts'

const attempts = 3
// Serialization failure and deadlock: PostgreSQL rolled the transaction back because of another one, and it may be retried.
const retriedCodes = ['40001', '40P01']

/**
 * Runs `work` in one transaction, up to three times if it conflicts with another transaction; so `work` must have no side effects outside of `tx`. Inside a
 * transaction it runs as a savepoint, and the outermost transaction is retried.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>, config?: PgTransactionConfig): Promise<T> {
  if (is(db, PgTransaction)) return db.transaction(work)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work, config)
    } catch (error) {
      if (attempt === attempts || !retriedCodes.includes(sqlStateOf(error) ?? '')) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

/** Returns the SQLSTATE of an error or of its cause, such as `23505` for a unique violation, and the name of the violated constraint. */
export function violationOf(error: unknown): { code: string; constraint: string | undefined } | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, constraint } = cause as { code?: string; constraint?: string }
    if (code && /^[0-9A-Z]{5}$/.test(code)) return { code, constraint }
  }
  return undefined
}

/** The SQLSTATE of an error or of its cause. */
export const sqlStateOf = (error: unknown): string | undefined => violationOf(error)?.code
