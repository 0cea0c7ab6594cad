import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'

/** Acquires an exclusive lock, so that no other transaction records payments until this one ends. Acquire it before reading what is in the book. */
export const lockBook = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('payments.book'))`)
/** Acquires a shared lock. Waits while another transaction holds `lockBook`, and blocks `lockBook` until this transaction ends. */
export const shareBook = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('payments.book'))`)
