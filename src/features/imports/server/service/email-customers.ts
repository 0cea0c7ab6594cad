import { eq, sql } from 'drizzle-orm'
import { generateToken, storeToken } from '#features/accounts/server/mailed-token.ts'
import { audit } from '#server/audit.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { importRuns } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { changed } from '#server/live/notify.ts'
import { enqueueMail, sealLink } from '#server/mail/enqueue-mail.ts'
import { secretKey } from '#server/secrets/keys.ts'
import type { ImportRun } from '../../admin-contract.ts'
import type { Importer } from './create-import.ts'
import { lockRun } from './lock-run.ts'
import { readRun } from './runs.ts'

/**
 * Starts emailing the customers of an applied run how to log in. Throws 404, 409 `not_applied` for a run in another state, 409 `not_customers` for a
 * run of invoices, and 409 `emailed` if emailing was already started.
 */
export async function startEmails(db: Db, runId: number, { adminId, requestId }: Importer): Promise<ImportRun> {
  return inTransaction(db, async (tx) => {
    const { name, kind, state, emailsSince } = await lockRun(tx, runId)
    if (kind !== 'customers') return conflict('not_customers', 'This import created no customers.')
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

type Next = { rowKey: string; userId: number; hasPassword: boolean }
type Claimed = Next & { username: string; email: string; isUsed: boolean }
type Link = { token: string; sealed: string }
type Sender = { db: Db; config: Config }

/**
 * Emails the next customers, at most the number of one minute. Customers without a password get a link to choose one, which works once within seven
 * days. Those who have already logged in get no email. Returns the number of processed rows.
 */
export async function emailNextCustomers({ db, config }: Sender): Promise<number> {
  const { rows: next } = await db.execute<Next>(sql`
    select n.row_key as "rowKey", u.id as "userId", u.password_hash <> '!' as "hasPassword"
    from import_rows n join import_runs i on i.id = n.run_id join users u on u.id = n.user_id
    where i.emails_since is not null and i.state = 'applied' and n.verdict = 'created' and n.emailed_at is null
    order by n.run_id, n.line limit ${limits.imports.emailedPerMinute}`)
  if (next.length === 0) return 0
  // Links are sealed before the transaction: see `enqueueMail`.
  const links = new Map(
    next.filter(({ hasPassword }) => !hasPassword).map(({ rowKey }) => [rowKey, linkFor(config, rowKey)]),
  )
  return inTransaction(db, async (tx) => {
    const claimed = await claim(tx, next)
    for (const customer of claimed) if (!customer.isUsed) await emailCustomer(tx, customer, links.get(customer.rowKey))
    if (claimed.length > 0) await changed(tx, 'user')
    return claimed.length
  })
}

const emailKey = (rowKey: string) => `import:${rowKey}`

function linkFor(config: Config, rowKey: string): Link {
  const token = generateToken()
  return { token, sealed: sealLink(secretKey(config), emailKey(rowKey), `/reset-password#token=${token}`) }
}

/** Marks these rows as emailed and returns their customers. Leaves out rows whose run was undone, and rows that another process has claimed. */
async function claim(tx: Tx, next: Next[]): Promise<Claimed[]> {
  const keys = sql.param(next.map(({ rowKey }) => rowKey))
  const { rows } = await tx.execute<Claimed>(sql`
    update import_rows r set emailed_at = now() from users u where u.id = r.user_id and r.row_key in (
      select n.row_key from import_rows n join import_runs i on i.id = n.run_id
      where n.row_key = any(${keys}::text[]) and i.state = 'applied' and n.verdict = 'created' and n.emailed_at is null
      order by n.run_id, n.line for update of n skip locked)
    returning r.row_key as "rowKey", u.id as "userId", u.username, u.email, u.password_hash <> '!' as "hasPassword",
      exists (select from login_places l where l.user_id = u.id) as "isUsed"`)
  return rows
}

async function emailCustomer(tx: Tx, { rowKey, userId, username, email, hasPassword }: Claimed, link?: Link) {
  const mail = { dedupeKey: emailKey(rowKey), userId, recipient: email, data: { username } }
  if (hasPassword || !link) return enqueueMail(tx, { ...mail, template: 'account_moved' })
  await storeToken(tx, 'reset_password', link.token, { id: userId, email }, 'invitation')
  await enqueueMail(tx, { ...mail, template: 'account_moved_password', sealed: link.sealed })
}
