import { eq } from 'drizzle-orm'
import { changes } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plans } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import { type AdminPlan, listAllPlans, type PlanFields } from '../../contract.ts'
import type { Editor } from './catalogue-resource.ts'
import { adminPlan } from './list-all.ts'
import { columnsOf, lockPlans, placeTaken, takePopular } from './plan-on-sale.ts'
import { publishChange } from './published-changes.ts'
import { stale } from './refusals.ts'

/**
 * Changes a plan that still is as it was opened; its price is in cents. Invoices keep the name, months, connections and amount
 * they were made with. Throws 404, and 409 when somebody was faster, when its place is taken, or when a plan that was sold
 * would become another one.
 */
export async function updatePlan(
  db: Db,
  planId: number,
  { version, ...fields }: PlanFields & { version: number },
  editor: Editor,
): Promise<AdminPlan> {
  try {
    return await inTransaction(db, async (tx) => {
      await lockPlans(tx)
      const before = await adminPlan(tx, planId)
      if (!before) return notFound('There is no such plan')
      if (before.version !== version) return stale('plan')
      const isOther = before.tier !== fields.tier || before.connections !== fields.connections
      if (before.sold && isOther)
        return conflict(
          'plan_sold',
          'This plan has been sold, so its group and connections stay. Hide it and add another plan instead.',
        )
      // What follows from group and connections stays as it is while they do.
      const columns = isOther ? columnsOf(fields) : fields
      const changed = changes(before, { ...before, ...columns })
      if (Object.keys(changed.after).length === 0) return before
      const lost = fields.popular ? await takePopular(tx, fields.tier, planId) : []
      await tx
        .update(plans)
        .set({ ...columns, version: version + 1 })
        .where(eq(plans.id, planId))
      await publishChange(
        tx,
        editor,
        listAllPlans,
        ...lost.map(({ id }) => ({
          action: 'plan.update' as const,
          targetType: 'plan',
          targetId: id,
          before: { popular: true },
          after: { popular: false },
        })),
        { action: 'plan.update', targetType: 'plan', targetId: planId, ...changed },
      )
      return (await adminPlan(tx, planId))!
    })
  } catch (error) {
    return placeTaken(error, fields)
  }
}
