import { eq } from 'drizzle-orm'
import { formatCents } from '#kit/money.ts'
import { audit } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { users } from '#server/db/tables.ts'
import { conflict, notAllowed, notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Approver } from '#server/session/actor.ts'
import { bookCredit, lockUsers } from '../ledger.ts'
import { accountCreditOf } from '../service.ts'

type Adjustment = { amount: number; reason: string; expectedBalance?: number | undefined }

const maxBalanceCents = 1_000_000_000

/**
 * Books an administrator's adjustment (signed cents) with its reason. Throws 403 if the actor is no longer an administrator, 404, and 409 if the
 * balance has changed or would become negative or too high. Also throws 409 for the actor's own account without `selfApproval`.
 */
export async function adjustCredit(
  db: Db,
  userId: number,
  { amount, reason, expectedBalance }: Adjustment,
  actor: Approver,
): ReturnType<typeof accountCreditOf> {
  if (userId === actor.admin.id && !actor.selfApproval)
    conflict('own_account', 'Another administrator has to adjust your own credit.')
  await inTransaction(db, async (tx) => {
    await lockUsers(tx, [userId, actor.admin.id])
    const [[admin], [user]] = [
      await tx.select({ role: users.role }).from(users).where(eq(users.id, actor.admin.id)),
      await tx.select({ balance: users.accountCredit }).from(users).where(eq(users.id, userId)),
    ]
    if (admin?.role !== 'admin') return notAllowed('Only administrators can do this', 'admins_only')
    if (!user) return notFound('User not found')
    const { balance } = user
    if (expectedBalance !== undefined && expectedBalance !== balance)
      conflict('stale', `The balance has changed: it is now ${formatCents(balance)}. Nothing was booked.`)
    if (balance + amount < 0)
      conflict('credit_spent', `The balance is only ${formatCents(balance)} and cannot become negative.`)
    if (balance + amount > maxBalanceCents)
      conflict('too_much_credit', `A balance cannot exceed ${formatCents(maxBalanceCents)}.`)
    await bookCredit(tx, { userId, amount, type: 'admin_adjustment', description: reason, createdBy: actor.admin.id })
    await audit(tx, {
      actorId: actor.admin.id,
      action: 'user.adjust_credit',
      targetType: 'user',
      targetId: userId,
      before: { accountCredit: balance },
      after: { accountCredit: balance + amount, reason, ownAccount: userId === actor.admin.id },
      requestId: actor.requestId,
    })
    await changed(tx, 'credit', { user: userId })
  })
  return accountCreditOf(db, userId)
}
