import { asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { reportCases, reports, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { caseReportsShown, casesShown, type ReportCase, type ReportCaseDetails } from '../../../admin-case-contract.ts'

const waiting = sql`from reports r where r.case_id = ${reportCases.id} and r.status in ('pending', 'reviewing')`
const view = {
  id: reportCases.id,
  title: reportCases.title,
  channelId: reportCases.channelId,
  createdAt: reportCases.createdAt,
  solvedAt: reportCases.solvedAt,
  version: reportCases.version,
  open: sql<number>`(select count(*)::int ${waiting})`,
  reporters: sql<number>`(select count(distinct r.user_id)::int ${waiting})`,
}

/** Returns the open cases, oldest first. */
export const listCases = (db: Db): Promise<ReportCase[]> =>
  db
    .select(view)
    .from(reportCases)
    .where(isNull(reportCases.solvedAt))
    .orderBy(asc(reportCases.createdAt), asc(reportCases.id))
    .limit(casesShown)

/** Returns a case with its newest reports. Throws 404. */
export async function readCase(db: Db | Tx, id: number): Promise<ReportCaseDetails> {
  const [found] = await db.select(view).from(reportCases).where(eq(reportCases.id, id))
  if (!found) return notFound('Case not found')
  const { contentName, issue, description, status, createdAt, userId } = reports
  const rows = await db
    .select({ id: reports.id, userId, username: users.username, contentName, issue, description, status, createdAt })
    .from(reports)
    .innerJoin(users, eq(users.id, reports.userId))
    .where(eq(reports.caseId, id))
    .orderBy(desc(reports.id))
    .limit(caseReportsShown)
  return { ...found, reports: rows }
}
