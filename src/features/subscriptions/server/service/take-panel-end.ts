import { sql } from 'drizzle-orm'
import { currentUser, listUsers } from '#features/accounts/contract.ts'
import { lockPeople } from '#features/accounts/server/service/lock-people.ts'
import { getCustomer } from '#features/customers/contract.ts'
import type { TakeEnd } from '#features/lines/server/service/mend-drift.ts'
import * as settings from '#features/settings/server/service.ts'
import { audit, changes } from '#server/audit.ts'
import { conflict } from '#server/errors.ts'
import { notifyAdmins, notifyUser } from '#server/notify.ts'
import { grant, stateOf } from '../service.ts'

/** Lets a subscription end when the panel's line does, days of grace taken off. Throws 409 for one that does not run, or would have ended. */
export const takePanelEnd: TakeEnd = async (tx, userId, until, act) => {
  await lockPeople(tx, userId, act)
  const { graceDays } = await settings.read(tx, 'provisioning')
  const before = await stateOf(tx, userId)
  const endDate = new Date(Date.parse(until) - graceDays * 86_400_000).toISOString()
  const { rows } = await tx.execute<{ ahead: boolean }>(sql`select ${endDate}::timestamptz > greatest(now(), ${before.startDate}::timestamptz) as ahead`)
  if (before.status !== 'active' || before.planId === null || !rows[0]?.ahead)
    conflict('not_possible', 'The subscription would have ended already. Set it on the customer’s page instead.')
  const after = { ...before, endDate }
  await grant(tx, { userId, planId: before.planId, months: 0, before, after, actorId: act.admin.id })
  await audit(tx, {
    actorId: act.admin.id,
    action: 'user.update_subscription',
    targetType: 'user',
    targetId: userId,
    ...changes(before, after),
    requestId: act.requestId,
  })
  await notifyUser(tx, userId, [currentUser.id])
  await notifyAdmins(tx, [listUsers.id, getCustomer.id])
}
