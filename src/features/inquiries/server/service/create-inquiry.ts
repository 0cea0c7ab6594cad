import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { inquiries, plans } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'

type Inquiry = {
  /** The sender, if signed in. */
  userId: number | null
  name: string
  email: string
  message: string
  planId?: number | null
  newsletterOpt: boolean
}

/** Stores a visitor's message for the operator. Throws 400 on `planId` for an unknown or hidden plan. Specification 2, Contact. */
export async function createInquiry(db: Db, inquiry: Inquiry): Promise<void> {
  const { planId = null } = inquiry
  await inTransaction(db, async (tx) => {
    if (planId !== null) {
      const [plan] = await tx
        .select({ id: plans.id })
        .from(plans)
        .where(and(eq(plans.id, planId), eq(plans.hidden, false)))
      if (!plan) invalid('planId', 'This plan is not available')
    }
    await tx.insert(inquiries).values({ ...inquiry, planId })
    await changed(tx, 'inquiry', inquiry.userId === null ? {} : { user: inquiry.userId })
  })
}
