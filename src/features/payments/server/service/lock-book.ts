import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'

/** Blocks the recording of other payments until the transaction ends. Take it before reading what is in the book. */
export const lockBook = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('payments.book'))`)
/** Waits for `lockBook`, and blocks it until the transaction ends. */
export const shareBook = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('payments.book'))`)
