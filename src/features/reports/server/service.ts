import { and, asc, count, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import type { Page } from '#kit/endpoint.ts'
import { audit } from '#server/audit.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { reports, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { notifyAdmins, notifyUser } from '#server/notify.ts'
import type { SessionUser } from '#server/session.ts'
import type { AdminReport, Report } from '../contract.ts'
import * as contract from '../contract.ts'

const ownView = { ...getTableColumns(reports), adminNotes: sql<string | null>`case when ${reports.status} <> 'pending' then ${reports.adminNotes} end` }

/** A customer's reports, newest first; notes only once somebody has looked at them. */
export const listReports = (db: Db, userId: number): Promise<Report[]> =>
  db.select(ownView).from(reports).where(eq(reports.userId, userId)).orderBy(desc(reports.id)).limit(limits.lists.maximum)

/** A customer reports a problem with what is on; an empty description counts as none. Specification 2, Reports. */
export async function createReport(
  db: Db,
  userId: number,
  { contentType, contentName, issue, description }: z.output<typeof contract.reportForm>,
): Promise<Report> {
  return inTransaction(db, async (tx) => {
    const [made] = await tx
      .insert(reports)
      .values({ userId, contentType, contentName, issue, description: description || null })
      .returning(ownView)
    await notifyUser(tx, userId, [contract.listReports.id])
    await notifyAdmins(tx, [contract.listAllReports.id])
    return made!
  })
}

const adminView = { ...getTableColumns(reports), username: users.username, email: users.email }

/** One page of all reports for administrators; `search` is taken literally, over what is reported, username and e-mail. */
export async function listAllReports(
  db: Db,
  { page = 1, pageSize = limits.lists.default, sort = 'createdAt', order = 'desc', search = '', status }: z.output<typeof contract.reportListQuery>,
): Promise<Page<AdminReport>> {
  const term = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const where = and(
    search === '' ? undefined : sql`(lower(${reports.contentName}) like ${term} or users.search like ${term})`,
    status && eq(reports.status, status),
  )
  const columns = sort === 'status' ? [reports.status, reports.createdAt, reports.id] : [reports.createdAt, reports.id]
  const [rows, [total]] = await Promise.all([
    db
      .select(adminView)
      .from(reports)
      .innerJoin(users, eq(users.id, reports.userId))
      .where(where)
      .orderBy(...columns.map(order === 'asc' ? asc : desc))
      .limit(pageSize)
      .offset((page - 1) * pageSize),
    db.select({ total: count() }).from(reports).innerJoin(users, eq(users.id, reports.userId)).where(where),
  ])
  return { rows, total: total!.total }
}

/** An administrator sets status and notes, any status to any other. Throws 404. Specification 4, Report status. */
export async function updateReport(
  db: Db,
  id: number,
  { status, adminNotes }: z.output<typeof contract.reportDecision>,
  act: { admin: SessionUser; requestId: string },
): Promise<AdminReport> {
  return inTransaction(db, async (tx) => {
    const [before] = await tx.select().from(reports).where(eq(reports.id, id)).for('update')
    if (!before) return notFound('Report not found')
    const isMoved = before.status !== status
    const [after] = await tx
      .update(reports)
      .set({
        status,
        adminNotes: adminNotes === '' ? null : adminNotes,
        ...(isMoved && { resolvedAt: status === 'resolved' ? sql`now()` : null }),
      })
      .where(eq(reports.id, id))
      .returning()
    const said = (row: typeof after) => ({ status: row!.status, adminNotes: row!.adminNotes })
    await audit(tx, {
      actorId: act.admin.id,
      action: 'report.update',
      targetType: 'report',
      targetId: id,
      before: said(before),
      after: said(after),
      requestId: act.requestId,
    })
    await notifyUser(tx, before.userId, [contract.listReports.id])
    await notifyAdmins(tx, [contract.listAllReports.id])
    return adminReport(tx, id)
  })
}

async function adminReport(tx: Tx, id: number): Promise<AdminReport> {
  const [row] = await tx.select(adminView).from(reports).innerJoin(users, eq(users.id, reports.userId)).where(eq(reports.id, id))
  return row!
}
