import { sql } from 'drizzle-orm'
import { lockUserAndAdmin } from '#features/accounts/server/service/lock-user-and-admin.ts'
import type { ApplyPanelExpiry } from '#features/provisioning/server/drift/resolve.ts'
import * as settings from '#features/settings/server/service.ts'
import { audit } from '#server/audit.ts'
import { plans } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { editSequence } from '../paid-time/edit.ts'
import { readSequence } from '../sequence.ts'
import { applyEdit, readState } from '../service.ts'
import { differingFields, notifySubscriptionChanged } from './update-subscription.ts'

/**
 * Sets the subscription's end date to the panel line's expiry minus the grace days, as an administrator's edit. Throws 409 if the subscription is not
 * active or would already have ended.
 */
export const adoptPanelExpiry: ApplyPanelExpiry = async (tx, userId, until, actor) => {
  await lockUserAndAdmin(tx, userId, actor)
  const { graceDays } = await settings.read(tx, 'provisioning')
  const before = await readState(tx, userId)
  const endDate = new Date(Date.parse(until) - graceDays * 86_400_000).toISOString()
  const { rows } = await tx.execute<{ ahead: boolean }>(
    sql`select ${endDate}::timestamptz > greatest(now(), ${before.startDate}::timestamptz) as ahead`,
  )
  const [plan] = before.planId === null ? [] : await tx.select().from(plans).where(sql`${plans.id} = ${before.planId}`)
  if (before.status !== 'active' || !plan || before.startDate === null || !rows[0]?.ahead)
    return conflict(
      'not_possible',
      'The subscription is not active or would already have ended. Edit it on the customer’s page instead.',
    )
  const sequence = await readSequence(tx, userId)
  const change = editSequence(sequence.segments, {
    now: sequence.now,
    period: { from: before.startDate, to: endDate, plan, changesPlan: false },
  })
  const after = { ...before, endDate }
  await applyEdit(tx, { userId, planId: before.planId, before, after, actorId: actor.admin.id }, sequence, change)
  await audit(tx, {
    actorId: actor.admin.id,
    action: 'user.update_subscription',
    targetType: 'user',
    targetId: userId,
    ...differingFields(before, after),
    requestId: actor.requestId,
  })
  await notifySubscriptionChanged(tx, userId)
}
