import { eq, sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { importRuns } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { ImportRun } from '../../admin-contract.ts'
import type { Importer } from './create-import.ts'
import { lockRun } from './lock-run.ts'
import { readRun } from './runs.ts'

/**
 * Starts emailing the customers of an applied run how to log in. Throws 404, 409 `not_applied` for a run in another state, and 409 `emailed` when
 * this was started before.
 */
export async function startEmails(db: Db, runId: number, { adminId, requestId }: Importer): Promise<ImportRun> {
  return inTransaction(db, async (tx) => {
    const { name, state, emailsSince } = await lockRun(tx, runId)
    if (state !== 'applied') return conflict('not_applied', 'Only the customers of an applied import can be emailed.')
    if (emailsSince !== null) return conflict('emailed', 'The customers of this import are being emailed already.')
    await tx.update(importRuns).set({ emailsBy: adminId, emailsSince: sql`now()` }).where(eq(importRuns.id, runId))
    const run = await readRun(tx, runId)
    await audit(tx, {
      actorId: adminId,
      action: 'import.email',
      targetType: 'import',
      targetId: runId,
      after: { file: name, customers: run.counts.created },
      requestId,
    })
    await changed(tx, 'user')
    return run
  })
}

type Due = { rowKey: string; userId: number; username: string; email: string; hasPassword: boolean; isUsed: boolean }

/** Emails the next customers, as many as are sent in a minute. Those who have logged in get none. Returns the number of rows. */
export async function emailNextCustomers(db: Db): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await tx.execute<Due>(sql`
      update import_rows r set emailed_at = now() from users u where u.id = r.user_id and r.row_key in (
        select n.row_key from import_rows n join import_runs i on i.id = n.run_id
        where i.emails_since is not null and i.state = 'applied' and n.verdict = 'created' and n.emailed_at is null
        order by n.run_id, n.line limit ${limits.imports.emailedPerMinute} for update of n skip locked)
      returning r.row_key as "rowKey", u.id as "userId", u.username, u.email, u.password_hash <> '!' as "hasPassword",
        exists (select from login_places l where l.user_id = u.id) as "isUsed"`)
    for (const { rowKey, userId, username, email, hasPassword, isUsed } of rows) {
      if (isUsed) continue
      await enqueueMail(tx, {
        dedupeKey: `import:${rowKey}`,
        userId,
        recipient: email,
        template: 'account_moved',
        data: { username, hasPassword },
      })
    }
    if (rows.length > 0) await changed(tx, 'user')
    return rows.length
  })
}
