import { createHash } from 'node:crypto'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { type Permission, permissionsOf } from '#kit/permissions.ts'
import { audit } from '../audit.ts'
import type { Tx } from '../db/connect.ts'
import { adminRequests, users } from '../db/tables.ts'
import { conflict, notAllowed } from '../errors.ts'
import { limits } from '../limits.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import { queueNotice } from '../queue-notice.ts'
import type { Actor } from './actor.ts'
import type { SessionUser } from './session.ts'
import { staffRole } from './staff-role.ts'

/** `actor` is null for the command line. `key` identifies the action: each owner gets one email per key. */
type Notice = {
  event:
    | 'administrator_added'
    | 'staff_changed'
    | 'staff_role_changed'
    | 'payments_changed'
    | 'mail_revealed'
    | 'confirmation_needed'
    | 'mailbox_paused'
    | 'automation_changed'
    | 'processor_changed'
    | 'mailbox_quiet'
    | 'payment_email_forged'
    | 'mail_server_changed'
    | 'second_person_changed'
    | 'webhook_paused'
    | 'api_key_created'
    | 'api_key_revoked'
  about: string
  actor: Pick<SessionUser, 'id' | 'username'> | null
  key: string
}

/**
 * Emails all owners about an action of a staff member or an event of the system, or asks them to confirm an action. Queues the notice for webhooks.
 */
export async function notifyOwners(tx: Tx, { event, about, actor, key }: Notice): Promise<void> {
  const owners = await tx
    .select({ id: users.id, username: users.username, email: users.email })
    .from(users)
    // A literal instead of a parameter, so that PostgreSQL can use the partial index on administrators.
    .where(sql`${users.role} = 'admin' and ${users.staffRoleId} is null`)
    .orderBy(asc(users.id))
    .limit(limits.lists.maximum)
  for (const { id, username, email } of owners)
    await enqueueMail(tx, {
      dedupeKey: `admin_notice:${event}:${key}:${id}`,
      userId: id,
      recipient: email,
      template: 'admin_notice',
      data: { username, event, about, by: actor?.username ?? null },
    })
  await queueNotice(tx, event, key)
}

/** `what` is the part of the request that the second administrator must repeat exactly. `about` describes it in emails and the audit log. */
export type AdminRequest = {
  action: (typeof adminRequests.$inferSelect)['action']
  target: string | number
  what: unknown
  about: string
  /** The permission that the first administrator must still have when the second one confirms. */
  needs?: Permission
}

/**
 * Returns true if another administrator requested the same within the last 24 hours, and deletes that request. Otherwise records the request of
 * this administrator, notifies all owners and returns false. The caller then performs the action, or commits and throws `needsSecondAdministrator`.
 * Throws 403 for an API key: one person may have the keys of two administrators.
 */
export async function isConfirmedBySecondAdministrator(
  tx: Tx,
  { action, target, what, about, needs }: AdminRequest,
  actor: Actor,
): Promise<boolean> {
  if (actor.admin.apiKey)
    notAllowed(
      'This needs the approval of two administrators, so it is not possible with an API key.',
      'not_for_api_keys',
    )
  const digest = createHash('sha256')
    .update(JSON.stringify(what) ?? '')
    .digest()
  const same = and(eq(adminRequests.action, action), eq(adminRequests.target, String(target)))
  // Serializes concurrent requests for the same action.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('admin request'), hashtext(${`${action} ${target}`}))`)
  const [asker] = await tx
    .select({ role: users.role, staff: staffRole })
    .from(adminRequests)
    .innerJoin(users, eq(users.id, adminRequests.requestedBy))
    .where(same)
  const mayAsk = asker !== undefined && (!needs || permissionsOf(asker.role, asker.staff).includes(needs))
  const confirmed = await tx
    .delete(adminRequests)
    .where(
      and(
        same,
        sql`${mayAsk}`,
        eq(adminRequests.digest, digest),
        ne(adminRequests.requestedBy, actor.admin.id),
        sql`${adminRequests.requestedAt} > now() - interval '1 day'`,
        sql`exists (select 1 from users asker where asker.id = ${adminRequests.requestedBy} and asker.role = 'admin')`,
      ),
    )
    .returning({ action: adminRequests.action })
  if (confirmed.length > 0) return true
  const row = { digest, requestedBy: actor.admin.id, requestedAt: sql`now()` }
  await tx
    .insert(adminRequests)
    .values({ action, target: String(target), ...row })
    .onConflictDoUpdate({ target: [adminRequests.action, adminRequests.target], set: row })
  await audit(tx, {
    actorId: actor.admin.id,
    action: 'admin.request',
    targetType: {
      promote: 'user',
      payments: 'setting',
      mail_server: 'setting',
      reveal_mail: 'mail',
      payment: 'payment',
      staff_role: 'staff_role',
    }[action],
    targetId: target,
    after: { asked: about },
    requestId: actor.requestId,
  })
  await notifyOwners(tx, { event: 'confirmation_needed', about, actor: actor.admin, key: actor.requestId })
  return false
}

/** Throws 409: the request was recorded and needs a second administrator. */
export const needsSecondAdministrator = (): never =>
  conflict(
    'second_administrator',
    'Another administrator has to confirm this by doing the same within 24 hours. All owners were notified by email. Nothing was changed yet.',
  )
