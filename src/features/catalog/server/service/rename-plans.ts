import { asc, eq } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { plans } from '#server/db/tables.ts'
import { changed, notifyCatalog } from '#server/live/notify.ts'
import { planName, type Tier } from '../../rules.ts'
import { lockPlans } from './plan-on-sale.ts'

/** Renames every plan after its group. `names` are the new names of the four groups. Existing invoices keep the old name. The caller writes the audit entry. */
export async function renamePlans(tx: Tx, names: readonly string[]): Promise<void> {
  await lockPlans(tx)
  // A separate statement, so that it also reads plans that another transaction added while this one waited for the lock.
  const all = await tx.select().from(plans).orderBy(asc(plans.id))
  const renamed = all
    .map((plan) => ({ ...plan, next: planName(plan.tier as Tier, plan.connections, names) }))
    .filter(({ name, next }) => name !== next)
  for (const { id, next, version } of renamed)
    await tx
      .update(plans)
      .set({ name: next, version: version + 1 })
      .where(eq(plans.id, id))
  if (renamed.length === 0) return
  await notifyCatalog(tx)
  await changed(tx, 'plan')
}
