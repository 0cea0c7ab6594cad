import { eq } from 'drizzle-orm'
import { audit } from '#server/audit.ts'
import type { Tx } from '#server/db/connect.ts'
import { plans } from '#server/db/tables.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'
import type { AppliedChange } from '../service.ts'
import { differingFields, notifySubscriptionChanged } from './update-subscription.ts'

/** Audits an undone edit, notifies open pages, and emails the customer unless `isEmailed` is false. */
export async function recordUndo(
  tx: Tx,
  { activationId, before, after }: AppliedChange,
  customer: { id: number; email: string },
  { actorId, requestId, isEmailed }: { actorId: number; requestId: string | null; isEmailed: boolean },
): Promise<void> {
  await audit(tx, {
    actorId,
    action: 'user.undo_subscription_edit',
    targetType: 'user',
    targetId: customer.id,
    ...differingFields(before, after),
    requestId,
  })
  const { planId, status, startDate, endDate } = after
  const [plan] = planId === null ? [] : await tx.select({ name: plans.name }).from(plans).where(eq(plans.id, planId))
  if (isEmailed)
    await enqueueMail(tx, {
      dedupeKey: `subscription_changed:undo:${activationId}`,
      userId: customer.id,
      recipient: customer.email,
      template: 'subscription_changed',
      data: { planName: plan?.name ?? null, status, startDate, endDate },
    })
  await notifySubscriptionChanged(tx, customer.id)
}
