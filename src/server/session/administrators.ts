import { createHash } from 'node:crypto'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { audit } from '../audit.ts'
import type { Tx } from '../db/connect.ts'
import { adminRequests, users } from '../db/tables.ts'
import { conflict } from '../errors.ts'
import { limits } from '../limits.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import type { SessionUser } from './session.ts'

type Actor = Pick<SessionUser, 'id' | 'username'>
/** `actor` null: the command line. */
type Notice = {
  event: 'administrator_added' | 'payments_changed' | 'mail_revealed' | 'confirmation_needed'
  about: string
  actor: Actor | null
  key: string
}

/** Mails every administrator what another one did, or asks them to confirm it. `key` names the act: one mail for it and administrator. */
export async function mailAdministrators(tx: Tx, { event, about, actor, key }: Notice): Promise<void> {
  const everyone = await tx
    .select({ id: users.id, username: users.username, email: users.email })
    .from(users)
    // Written out, so that the index of administrators fits.
    .where(sql`${users.role} = 'admin'`)
    .orderBy(asc(users.id))
    .limit(limits.lists.maximum)
  for (const { id, username, email } of everyone)
    await enqueueMail(tx, {
      dedupeKey: `admin_notice:${event}:${key}:${id}`,
      userId: id,
      recipient: email,
      template: 'admin_notice',
      data: { username, event, about, by: actor?.username ?? null },
    })
}

/** `what`: everything that the second administrator has to ask for in the same way. `about` is for people. */
export type AdminRequest = {
  action: (typeof adminRequests.$inferSelect)['action']
  target: string | number
  what: unknown
  about: string
}

/**
 * Whether another administrator asked for the same within a day; that request is then used up. Otherwise it is recorded as a request of
 * this one, and all administrators are notified. The caller carries the act out, or commits and answers `needsAnother`.
 */
export async function isConfirmed(
  tx: Tx,
  { action, target, what, about }: AdminRequest,
  act: { admin: SessionUser; requestId: string },
): Promise<boolean> {
  const digest = createHash('sha256')
    .update(JSON.stringify(what) ?? '')
    .digest()
  const same = and(eq(adminRequests.action, action), eq(adminRequests.target, String(target)))
  // Two administrators who ask at the same moment come one after the other.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('admin request'), hashtext(${`${action} ${target}`}))`)
  const confirmed = await tx
    .delete(adminRequests)
    .where(
      and(
        same,
        eq(adminRequests.digest, digest),
        ne(adminRequests.requestedBy, act.admin.id),
        sql`${adminRequests.requestedAt} > now() - interval '1 day'`,
        sql`exists (select 1 from users asker where asker.id = ${adminRequests.requestedBy} and asker.role = 'admin')`,
      ),
    )
    .returning({ action: adminRequests.action })
  if (confirmed.length > 0) return true
  const row = { digest, requestedBy: act.admin.id, requestedAt: sql`now()` }
  await tx
    .insert(adminRequests)
    .values({ action, target: String(target), ...row })
    .onConflictDoUpdate({ target: [adminRequests.action, adminRequests.target], set: row })
  await audit(tx, {
    actorId: act.admin.id,
    action: 'admin.request',
    targetType: { promote: 'user', payments: 'setting', reveal_mail: 'mail' }[action],
    targetId: target,
    after: { asked: about },
    requestId: act.requestId,
  })
  await mailAdministrators(tx, { event: 'confirmation_needed', about, actor: act.admin, key: act.requestId })
  return false
}

/** 409 for what was recorded and waits for another administrator. */
export const needsAnother = (): never =>
  conflict(
    'second_administrator',
    'Another administrator has to confirm this by doing the same within 24 hours. All administrators were notified by email. Nothing was changed yet.',
  )
