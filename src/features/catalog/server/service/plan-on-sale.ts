import { and, asc, eq, ne } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { violationOf } from '#server/db/retry.ts'
import { plans } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import type { PlanFields } from '../../contract.ts'
import { connectionLabel, planName, type Tier, tierOf } from '../../rules.ts'

type Plan = typeof plans.$inferSelect

/** The columns of a plan: what administrators choose, and what follows from it (specification 3, Plan). */
export function columnsOf({ tier, ...fields }: PlanFields): Omit<Plan, 'id' | 'version'> {
  const { months, billing } = tierOf({ tier })
  return { ...fields, tier, months, billing, name: planName(tier as Tier, fields.connections) }
}

/** Every plan, held until the transaction ends: administrators who change plans wait for each other. */
export const lockPlans = (tx: Tx): Promise<Plan[]> => tx.select().from(plans).orderBy(asc(plans.id)).for('update')

/** Takes the mark from the plan of the group that had it; answers what was changed, for the audit log. */
export async function takePopular(tx: Tx, tier: number, heir: number): Promise<{ id: number }[]> {
  const others = and(eq(plans.tier, tier), eq(plans.popular, true), ne(plans.id, heir))
  const had = await tx.select({ id: plans.id, version: plans.version }).from(plans).where(others)
  for (const { id, version } of had)
    await tx
      .update(plans)
      .set({ popular: false, version: version + 1 })
      .where(eq(plans.id, id))
  return had
}

/** 409 when the place of a plan is taken by one on sale; anything else is thrown on. */
export function placeTaken(error: unknown, { tier, connections }: Pick<PlanFields, 'tier' | 'connections'>): never {
  if (violationOf(error)?.constraint !== 'one_plan_on_sale') throw error
  return conflict(
    'plan_on_sale_already',
    `${tierOf({ tier }).name} has a plan with ${connectionLabel(connections)} on sale already. Hide that one first.`,
  )
}
