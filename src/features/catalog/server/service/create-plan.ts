import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plans } from '#server/db/tables.ts'
import type { AdminPlan, PlanFields } from '../../admin-contract.ts'
import type { Editor } from './catalog-resource.ts'
import { adminPlan } from './list-all.ts'
import { clearPopular, columnsOf, lockPlans, planConflict } from './plan-on-sale.ts'
import { publishChange } from './publish-change.ts'

/** Adds a plan with its price in cents. A popular plan replaces the popular plan of its group. Throws 409 when the same plan is already on sale. */
export async function createPlan(db: Db, fields: PlanFields, editor: Editor): Promise<AdminPlan> {
  try {
    return await inTransaction(db, async (tx) => {
      await lockPlans(tx)
      const columns = await columnsOf(tx, fields)
      const lost = fields.popular ? await clearPopular(tx, fields.tier, 0) : []
      const [made] = await tx.insert(plans).values(columns).returning({ id: plans.id })
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
        { action: 'plan.create', targetType: 'plan', targetId: made!.id, after: columns },
      )
      return (await adminPlan(tx, made!.id))!
    })
  } catch (error) {
    return planConflict(error, fields)
  }
}
