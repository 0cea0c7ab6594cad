import type * as z from 'zod/mini'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { reports } from '#server/db/tables.ts'
import { changed } from '#server/live/notify.ts'
import type { Report, reportForm } from '../../contract.ts'
import { groupReport } from './cases/group-reports.ts'
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
    await groupReport(tx, created!)
    await changed(tx, 'report', { user: userId })
    return created!
  })
}
