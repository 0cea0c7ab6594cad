import { sql } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { previewTransaction } from '#server/db/preview-transaction.ts'
import { inTransaction } from '#server/db/retry.ts'
import { conflict, Refusal } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Actor } from '#server/session/actor.ts'
import type { UndoCreationResult } from '../../admin-contract.ts'
import { removeImportedAccounts } from './imported-accounts.ts'
import { lockUserAndAdmin } from './lock-user-and-admin.ts'

/** What prevents an account from being removed, as shown to administrators. */
const usedBy = {
  created: 'The account was not created by an administrator.',
  login: 'The customer has chosen a password or logged in.',
  invoice: 'The account has an invoice.',
  payment: 'The account has a payment.',
  credit: 'The account has credit.',
  subscription: 'The account has a subscription.',
  line: 'The account has a line.',
  request: 'The account has a request, a report or a message.',
  referral: 'The account is part of a referral.',
  role: 'The account belongs to a staff member.',
  edited: 'The account was edited.',
} as const

/**
 * Removes an account that an administrator created, if it is unused. The names, email address and password are erased, and the link to choose a
 * password no longer works. Throws 404, and 409 `built_on` with the reason.
 */
export async function undoCreateCustomer(db: Db, userId: number, actor: Actor): Promise<UndoCreationResult> {
  return inTransaction(db, async (tx) => {
    await remove(tx, userId, actor)
    return { refusal: null }
  })
}

/** Checks whether `undoCreateCustomer` would succeed: runs it and rolls it back. A 409 becomes `refusal` in the result. Throws 404. */
export async function previewUndoCreation(db: Db, userId: number, actor: Actor): Promise<UndoCreationResult> {
  try {
    return await previewTransaction(db, async (tx) => {
      await remove(tx, userId, actor)
      return { refusal: null }
    })
  } catch (error) {
    if (error instanceof Refusal && error.status === 409) return { refusal: error.message }
    throw error
  }
}

async function remove(tx: Tx, userId: number, actor: Actor): Promise<void> {
  const { user } = await lockUserAndAdmin(tx, userId, actor)
  const { rows } = await tx.execute<{ reason: keyof typeof usedBy | null }>(sql`
    select case
      when not exists (select from audit_log a where a.customer_id = u.id and a.action = 'user.create') then 'created'
      when u.role <> 'user' then 'role'
      when exists (select from sessions s where s.user_id = u.id) or exists (select from login_places l where l.user_id = u.id)
        or exists (select from audit_log a where a.actor_id = ${userId}) or exists (select from passkeys p where p.user_id = u.id) then 'login'
      when exists (select from invoices i where i.user_id = u.id)
        or exists (select from earlier_invoices e where e.user_id = u.id) then 'invoice'
      when exists (select from payer_identities p where p.user_id = u.id) then 'payment'
      when u.account_credit <> 0 or exists (select from credit_transactions t where t.user_id = u.id) then 'credit'
      when exists (select from activations a where a.user_id = u.id) then 'subscription'
      when exists (select from line_jobs j where j.user_id = u.id) or exists (select from lines l where l.user_id = u.id) then 'line'
      when exists (select from trial_requests t where t.user_id = u.id) or exists (select from reports p where p.user_id = u.id)
        or exists (select from tickets k where k.user_id = u.id) then 'request'
      when exists (select from referral_claims c where c.referee_id = u.id or c.referrer_id = u.id) then 'referral'
      when exists (select from audit_log a where a.customer_id = u.id and a.action <> 'user.create') then 'edited'
    end as reason from users u where u.id = ${userId}`)
  const { reason } = rows[0]!
  if (reason !== null) conflict('built_on', `${usedBy[reason]} Nothing was removed.`)
  await removeImportedAccounts(tx, [userId])
  await audit(tx, {
    actorId: actor.admin.id,
    action: 'user.undo_create',
    targetType: 'user',
    targetId: userId,
    before: { username: user.username },
    requestId: actor.requestId,
  })
  await changed(tx, 'user', { user: userId })
}
