import type * as z from 'zod/mini'
import { getCustomer } from '#features/customers/admin-contract.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { reports } from '#server/db/tables.ts'
import { notifyAdmins, notifyUser } from '#server/live/notify.ts'
import { listAllReports } from '../../admin-contract.ts'
import { listReports, type Report, type reportForm } from '../../contract.ts'
import { ownView } from './read-reports.ts'

/** Creates a customer's report of a content problem. An empty description is stored as null. Specification 2, Reports. */
export async function createReport(
  db: Db,
  userId: number,
  { contentType, contentName, issue, description }: z.output<typeof reportForm>,
): Promise<Report> {
  return inTransaction(db, async (tx) => {
    const [created] = await tx
      .insert(reports)
      .values({ userId, contentType, contentName, issue, description: description || null })
      .returning(ownView)
    await notifyUser(tx, userId, [listReports.id])
    await notifyAdmins(tx, [listAllReports.id, getCustomer.id])
    return created!
  })
}
