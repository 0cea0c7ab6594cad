import { eq } from 'drizzle-orm'
import { changedFields } from '#server/audit.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plans } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { AdminPlan, PlanFields } from '../../admin-contract.ts'
import type { Editor } from './catalog-resource.ts'
import { adminPlan } from './list-all.ts'
import { clearPopular, columnsOf, lockPlans, planConflict } from './plan-on-sale.ts'
import { publishChange } from './publish-change.ts'
import { stale } from './refusals.ts'

/**
 * Updates a plan with its price in cents. Existing invoices keep their name, months, connections and amount. Throws 404, or 409 when
 * the version is outdated, when the same plan is already on sale, or when the group or connections of a sold plan would change.
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
          'This plan has been sold, so its group and connections cannot change. Hide it and add another plan instead.',
        )
      // The derived columns change only with the group or the connections.
      const columns = isOther ? await columnsOf(tx, fields) : fields
      const changed = changedFields(before, { ...before, ...columns })
      if (Object.keys(changed.after).length === 0) return before
      const lost = fields.popular ? await clearPopular(tx, fields.tier, planId) : []
      await tx
        .update(plans)
        .set({ ...columns, version: version + 1 })
        .where(eq(plans.id, planId))
      await publishChange(
        tx,
        editor,
        'plan',
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
    return planConflict(error, fields)
  }
}
