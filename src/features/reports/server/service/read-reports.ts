import { and, desc, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { reports, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { sortBuckets } from '#server/lists/counted-lists.ts'
import { type List, readPage } from '#server/lists/list.ts'
import { countedTotal } from '#server/lists/list-count.ts'
import { containsIndexed, hasId } from '#server/lists/list-search.ts'
import type { AdminReport, reportListQuery, reportSorts } from '../../admin-contract.ts'
import type { Report } from '../../contract.ts'

/** The columns of a report for its author. The notes are null while it is pending. */
export const ownView = {
  ...getTableColumns(reports),
  adminNotes: sql<string | null>`case when ${reports.status} <> 'pending' then ${reports.adminNotes} end`,
}

/** Returns a customer's reports, newest first. The notes of pending reports are null. */
export const listReports = (db: Db, userId: number): Promise<Report[]> =>
  db
    .select(ownView)
    .from(reports)
    .where(eq(reports.userId, userId))
    .orderBy(desc(reports.id))
    .limit(limits.lists.maximum)

const adminView = { ...getTableColumns(reports), username: users.username, email: users.email }

const adminReports = (db: Db | Tx) => db.select(adminView).from(reports).innerJoin(users, eq(users.id, reports.userId))

type Query = z.output<typeof reportListQuery>
export const reportList: List<AdminReport, (typeof reportSorts)[number], Query> = {
  table: reports,
  sorts: { createdAt: [reports.createdAt], status: [reports.status, reports.createdAt] },
  where: ({ search, status }, ofUser) =>
    and(
      search
        ? or(
            containsIndexed(sql`lower(${reports.contentName})`, search),
            ofUser(reports.userId),
            hasId(reports.id, search),
          )
        : undefined,
      status && eq(reports.status, status),
    ),
  buckets: { createdAt: sortBuckets('reports', 'createdAt'), status: sortBuckets('reports', 'createdAt', 'status') },
  bucketFilter: ({ search, status }) => (search ? undefined : { list: 'reports', status }),
  countedTotal: ({ search, status }) => (search ? undefined : countedTotal('reports', ...(status ? [status] : []))),
  rows: (db, ids) => adminReports(db).where(inArray(reports.id, ids)),
}

/** Returns one page of all reports for administrators. `search` is matched literally against content name, username and email; `#12` finds report 12. */
export const listAllReports = (db: Db, query: Query): Promise<Page<AdminReport>> => readPage(db, reportList, query)

/** Returns a report with the columns for administrators. Throws 404. */
export async function adminReport(db: Db | Tx, id: number): Promise<AdminReport> {
  const [row] = await adminReports(db).where(eq(reports.id, id))
  return row ?? notFound('Report not found')
}
