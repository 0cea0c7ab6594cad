import { and, asc, eq, ne } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { violationOf } from '#server/db/retry.ts'
import { plans } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { PlanFields } from '../../admin-contract.ts'
import { connectionLabel, planName, type Tier, tierOf } from '../../rules.ts'

type Plan = typeof plans.$inferSelect

/** Returns the columns of a plan: the chosen fields and those derived from them (specification 3, Plan). */
export async function columnsOf(tx: Tx, { tier, ...fields }: PlanFields): Promise<Omit<Plan, 'id' | 'version'>> {
  const { months, billing } = tierOf({ tier })
  const { brand } = await settings.read(tx, 'site')
  return { ...fields, tier, months, billing, name: planName(tier as Tier, fields.connections, brand.plans) }
}

/** Locks and returns all plans, so that changes of plans are serialized until the transaction ends. */
export const lockPlans = (tx: Tx): Promise<Plan[]> => tx.select().from(plans).orderBy(asc(plans.id)).for('update')

/** Clears the popular flag of the other plans of a group. Returns the changed plans for the audit log. */
export async function clearPopular(tx: Tx, tier: number, exceptId: number): Promise<{ id: number }[]> {
  const others = and(eq(plans.tier, tier), eq(plans.popular, true), ne(plans.id, exceptId))
  const cleared = await tx.select({ id: plans.id, version: plans.version }).from(plans).where(others)
  for (const { id, version } of cleared)
    await tx
      .update(plans)
      .set({ popular: false, version: version + 1 })
      .where(eq(plans.id, id))
  return cleared
}

/** Throws 409 when a plan with the same group and connections is on sale; rethrows other errors. */
export function planConflict(error: unknown, { connections }: Pick<PlanFields, 'connections'>): never {
  if (violationOf(error)?.constraint !== 'one_plan_on_sale') throw error
  return conflict(
    'plan_on_sale_already',
    `This group already has a plan with ${connectionLabel(connections)} on sale. Hide that plan first.`,
  )
}
