import { and, asc, desc, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type * as z from 'zod/mini'
import * as settings from '#features/settings/server/service.ts'
import type { Page } from '#kit/endpoint.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { invoices, lineJobs, linePanel, lines, panels, users } from '#server/db/tables.ts'
import { sortBuckets } from '#server/lists/counted-lists.ts'
import { type List, readPage } from '#server/lists/list.ts'
import { countedTotalWhere } from '#server/lists/list-count.ts'
import { contains, hasId, isShort } from '#server/lists/list-search.ts'
import type { CustomerLine, LineJob, lineJobQuery, lineJobSorts, PanelStatus } from '../admin-contract.ts'
import { playerServer } from './config.ts'

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
const toLineJob = ({ job, username, line, invoiceNumber, wanted }: Row): LineJob => ({
  ...job,
  username,
  line: line ?? job.lineRef,
  invoiceNumber,
  wanted,
})

const tasksOnly = sql`head = 'task'`
/** The list's filter as a condition on `row_counts`. */
const counted = (status: Query['status']): SQL | undefined =>
  status && (status === 'tasks' ? tasksOnly : sql`status = ${status}`)

type JobConditions = { line: SQL | undefined; invoice: SQL | undefined }
const maxIds = 1_000
/**
 * The condition that `column` is among the found ids. Few ids are listed instead of a subquery: PostgreSQL cannot estimate a subquery's size and would scan all
 * jobs.
 */
async function inFewIds(db: Db, column: PgColumn, found: SQL): Promise<SQL> {
  const { rows } = await db.execute<{ id: number }>(sql`${found} limit ${maxIds + 1}`)
  return rows.length <= maxIds
    ? sql`${column} = any (${sql.param(rows.map(({ id }) => id))}::int[])`
    : sql`${column} in (${found})`
}

/** The conditions for jobs whose line or invoice matches the search. */
async function findJobs(db: Db, search: string | undefined): Promise<JobConditions> {
  if (!search || isShort(search)) return { line: undefined, invoice: undefined }
  const [line, invoice] = await Promise.all([
    inFewIds(
      db,
      lineJobs.userId,
      sql`select l.user_id as id from lines l where ${contains(sql`lower(l.username)`, search)}`,
    ),
    // Every invoice number begins with `ORD-`.
    'ord-'.includes(search.trim().toLowerCase())
      ? isNotNull(lineJobs.invoiceId)
      : inFewIds(
          db,
          lineJobs.invoiceId,
          sql`select i.id from invoices i where ${contains(sql`lower(i.invoice_number)`, search)}`,
        ),
  ])
  return { line, invoice }
}

const jobList = ({ line, invoice }: JobConditions): List<LineJob, (typeof lineJobSorts)[number], Query> => ({
  table: lineJobs,
  // Ids ascend with `createdAt`.
  sorts: { createdAt: [] },
  where: ({ search, status }, ofUser) =>
    and(
      search ? or(ofUser(lineJobs.userId), hasId(lineJobs.id, search), line, invoice) : undefined,
      status && (status === 'tasks' ? isNotNull(lineJobs.task) : eq(lineJobs.state, status)),
    ),
  buckets: { createdAt: sortBuckets('line_jobs', 'createdAt') },
  bucketFilter: ({ search, status }) => (search ? undefined : { list: 'line_jobs', filter: counted(status) }),
  countedTotal: ({ search, status }) => (search ? undefined : countedTotalWhere('line_jobs', counted(status))),
  rows: async (db, ids) => (await rowsOf(db).where(inArray(lineJobs.id, ids))).map(toLineJob),
})

/**
 * One page of jobs. `search` is text that occurs in the customer's name or email address and, from three characters, in the line or the invoice number; `#12`
 * is job 12.
 */
export const listLineJobs = async (db: Db, query: Query): Promise<Page<LineJob>> =>
  readPage(db, jobList(await findJobs(db, query.search)), query)

/** The state of each panel, and how many jobs wait for the panels or for an administrator. */
export async function getPanelStatus(db: Db, config: Pick<Config, 'panel'>): Promise<PanelStatus> {
  const [{ kind, server }, states, tasks, waiting] = await Promise.all([
    settings.read(db, 'provisioning'),
    db
      .select({
        id: panels.id,
        name: panels.name,
        downSince: linePanel.downSince,
        restUntil: linePanel.restUntil,
        lastFailure: linePanel.lastFailure,
      })
      .from(linePanel)
      .innerJoin(panels, eq(panels.id, linePanel.id))
      .orderBy(asc(panels.id)),
    counts(db, tasksOnly),
    countWaiting(db),
  ])
  const { downSince, restUntil, lastFailure } = states.find((panel) => panel.downSince !== null) ?? states[0]!
  return {
    kind,
    server: playerServer(server, config),
    tasks,
    waiting,
    downSince,
    restUntil,
    lastFailure,
    panels: states,
  }
}

/** How many jobs wait for a panel. */
export const countWaiting = (db: Db): Promise<number> =>
  counts(db, sql`head = '' and status in ('queued', 'sent', 'unknown')`)

async function counts(db: Db, filter: SQL): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(sql`select ${countedTotalWhere('line_jobs', filter)} as total`)
  return rows[0]!.total
}

const maxJobs = 10
/** A customer's line with its desired state, the panel's last reported state and its newest jobs; null if there is no line. */
export async function getCustomerLine(db: Db, userId: number): Promise<CustomerLine | null> {
  const [[found], jobs] = await Promise.all([
    db
      .select({
        line: lines,
        panelName: sql<string | null>`case when (select count(*) from panels) > 1 then ${panels.name} end`,
      })
      .from(lines)
      .innerJoin(panels, eq(panels.id, lines.panelId))
      .where(eq(lines.userId, userId)),
    rowsOf(db).where(eq(lineJobs.userId, userId)).orderBy(desc(lineJobs.id)).limit(maxJobs),
  ])
  if (!found) return null
  const { line, panelName } = found
  const { username, server, lineRef, seenAt } = line
  return {
    username,
    server,
    lineRef,
    panelName,
    seenAt,
    wanted: { enabled: line.wantedEnabled, until: line.wantedUntil, connections: line.wantedConnections },
    panel: { enabled: line.panelEnabled, until: line.panelUntil, connections: line.panelConnections },
    jobs: jobs.map(toLineJob),
  }
}
