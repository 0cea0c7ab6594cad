import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { plans } from '#server/db/tables.ts'
import { conflict, notFound } from '#server/errors.ts'
import type { Editor } from './catalog-resource.ts'
import { lockPlans } from './plan-on-sale.ts'
import { publishChange } from './publish-change.ts'
import { stale } from './refusals.ts'

/** Deletes a plan. Throws 404, or 409 when the version is outdated, or when the plan was sold or is named in an inquiry. */
export async function deletePlan(db: Db, planId: number, version: number, editor: Editor): Promise<{ id: number }> {
  try {
    return await inTransaction(db, async (tx) => {
      const before = (await lockPlans(tx)).find((plan) => plan.id === planId)
      if (!before) return notFound('There is no such plan')
      if (before.version !== version) return stale('plan')
      await tx.delete(plans).where(eq(plans.id, planId))
      await publishChange(tx, editor, 'plan', {
        action: 'plan.delete',
        targetType: 'plan',
        targetId: planId,
        before,
      })
      return { id: planId }
    })
  } catch (error) {
    const { code, constraint } = violationOf(error) ?? {}
    if (code !== '23503') throw error
    return conflict(
      'plan_sold',
      constraint?.startsWith('inquiries')
        ? 'This plan is named in an inquiry, so it cannot be deleted. Hide it to stop selling it.'
        : 'This plan has been sold, so it cannot be deleted. Hide it to stop selling it; invoices and subscriptions do not change.',
    )
  }
}
