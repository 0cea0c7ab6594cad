import { sql } from 'drizzle-orm'
import type { NoticeKind } from '#features/webhooks/rules.ts'
import type { Tx } from './db/connect.ts'

/**
 * Queues a notice for all webhooks that subscribe to its kind; it is sent after the commit. `key` identifies the event: each webhook gets only one notice for
 * the same key. Notices about new work are queued by triggers (migration 0091).
 */
export async function queueNotice(tx: Tx, kind: NoticeKind, key: string): Promise<void> {
  await tx.execute(sql`select queue_notice(${kind}, null, ${`${kind}:${key}`})`)
}
