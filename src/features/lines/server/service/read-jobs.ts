import { and, count, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import * as settings from '#features/settings/server/service.ts'
import type { Page } from '#kit/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { invoices, lineJobs, linePanel, lines, users } from '#server/db/tables.ts'
import { contains, hasId, type List, readPage } from '#server/list.ts'
import type { CustomerLine, LineJob, LinePanel, lineJobQuery, lineJobSorts } from '../../admin-contract.ts'

type Query = z.output<typeof lineJobQuery>

const view = {
  job: lineJobs,
  username: users.username,
  line: lines.username,
  invoiceNumber: invoices.invoiceNumber,
  wanted: { enabled: lines.wantedEnabled, until: lines.wantedUntil, connections: lines.wantedConnections },
}
const rowsOf = (db: Db) =>
  db
    .select(view)
    .from(lineJobs)
    .leftJoin(users, eq(users.id, lineJobs.userId))
    .leftJoin(lines, eq(lines.userId, lineJobs.userId))
    .leftJoin(invoices, eq(invoices.id, lineJobs.invoiceId))
type Row = Awaited<ReturnType<typeof rowsOf>>[number]
const shown = ({ job, username, line, invoiceNumber, wanted }: Row): LineJob => ({ ...job, username, line: line ?? job.lineRef, invoiceNumber, wanted })

const jobList: List<LineJob, (typeof lineJobSorts)[number], Query> = {
  table: lineJobs,
  // Ids are given in the order in which causes are written.
  sorts: { createdAt: [] },
  where: ({ search, status }, ofUser) =>
    and(
      search
        ? or(
            ofUser(lineJobs.userId),
            hasId(lineJobs.id, search),
            sql`${lineJobs.userId} in (select l.user_id from lines l where ${contains(sql`l.username`, search)})`,
            sql`${lineJobs.invoiceId} in (select i.id from invoices i where ${contains(sql`lower(i.invoice_number)`, search)})`,
          )
        : undefined,
      status && (status === 'tasks' ? isNotNull(lineJobs.task) : eq(lineJobs.state, status)),
    ),
  rows: async (db, ids) => (await rowsOf(db).where(inArray(lineJobs.id, ids))).map(shown),
}

/** One page of what is done about lines; `search` is taken literally, over customer, e-mail, line and invoice, `#12` is job 12. */
export const listLineJobs = (db: Db, query: Query): Promise<Page<LineJob>> => readPage(db, jobList, query)

/** How the panel is, and how many jobs wait for it or for an administrator. */
export async function getLinePanel(db: Db): Promise<LinePanel> {
  const [{ kind }, [row], [tasks], [waiting]] = await Promise.all([
    settings.read(db, 'provisioning'),
    db.select().from(linePanel),
    db.select({ rows: count() }).from(lineJobs).where(isNotNull(lineJobs.task)),
    db
      .select({ rows: count() })
      .from(lineJobs)
      .where(and(isNull(lineJobs.task), inArray(lineJobs.state, ['queued', 'sent', 'unknown']))),
  ])
  const { downSince, restUntil, lastFailure } = row!
  return { kind, tasks: tasks!.rows, waiting: waiting!.rows, downSince, restUntil, lastFailure }
}

const newest = 10
/** A customer's line as we want it and as the panel told it last, with the newest jobs about it; null where there is none. */
export async function getCustomerLine(db: Db, userId: number): Promise<CustomerLine | null> {
  const [[line], jobs] = await Promise.all([
    db.select().from(lines).where(eq(lines.userId, userId)),
    rowsOf(db).where(eq(lineJobs.userId, userId)).orderBy(desc(lineJobs.id)).limit(newest),
  ])
  if (!line) return null
  const { username, server, lineRef, seenAt } = line
  return {
    username,
    server,
    lineRef,
    seenAt,
    wanted: { enabled: line.wantedEnabled, until: line.wantedUntil, connections: line.wantedConnections },
    panel: { enabled: line.panelEnabled, until: line.panelUntil, connections: line.panelConnections },
    jobs: jobs.map(shown),
  }
}
