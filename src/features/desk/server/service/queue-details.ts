import { eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { paymentRowsOf } from '#features/payments/server/service/read-payments.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Db } from '#server/db/connect.ts'
import {
  inquiries,
  invoices,
  lineJobs,
  mailboxReader,
  refundRequests,
  reportCases,
  reports,
  tickets,
  trialRequests,
  users,
} from '#server/db/tables.ts'
import type { QueueItem } from '../../admin-queue-contract.ts'

type Waiting = 'kind' | 'key' | 'since' | 'promiseMinutes'
/** The fields of a queue entry of this kind, except those that all kinds have, with the id of its row. */
type Details<Kind extends QueueItem['kind'], More extends string = never> = Omit<
  Extract<QueueItem, { kind: Kind }>,
  Waiting | More
> & { id: number }

const hasPanel = async (db: Db) => (await settings.read(db, 'provisioning')).kind !== 'manual'

/** Returns the line tasks with these ids. */
export async function linesOf(db: Db, ids: number[]): Promise<Details<'line'>[]> {
  const canRetry = await hasPanel(db)
  const rows = await db
    .select({
      id: lineJobs.id,
      jobId: lineJobs.id,
      task: lineJobs.task,
      userId: lineJobs.userId,
      username: users.username,
      invoiceNumber: invoices.invoiceNumber,
      message: lineJobs.lastAnswer,
    })
    .from(lineJobs)
    .leftJoin(users, eq(users.id, lineJobs.userId))
    .leftJoin(invoices, eq(invoices.id, lineJobs.invoiceId))
    .where(inArray(lineJobs.id, ids))
  return rows.flatMap(({ task, ...row }) => (task === null ? [] : [{ ...row, task, canRetry }]))
}

const isRepeated = sql<boolean>`exists (
  select from users other join trial_requests earlier on earlier.user_id = other.id
  where other.mailbox = users.mailbox and earlier.id <> trial_requests.id)`
/** Returns the trial requests with these ids. */
export async function trialsOf(db: Db, ids: number[]): Promise<Details<'trial'>[]> {
  const canApprove = await hasPanel(db)
  const rows = await db
    .select({
      id: trialRequests.id,
      requestId: trialRequests.id,
      version: trialRequests.version,
      userId: trialRequests.userId,
      username: users.username,
      device: trialRequests.device,
      isRepeated,
    })
    .from(trialRequests)
    .innerJoin(users, eq(users.id, trialRequests.userId))
    .where(inArray(trialRequests.id, ids))
  return rows.map((row) => ({ ...row, canApprove }))
}

/** Returns the reports with these ids, which are the first reports of their cases. */
export const reportsOf = (db: Db, ids: number[]): Promise<Details<'report', 'reports'>[]> =>
  db
    .select({
      id: reports.id,
      userId: reports.userId,
      username: users.username,
      contentName: sql<string>`coalesce(${reportCases.title}, ${reports.contentName})`,
      issue: reports.issue,
      caseId: reports.caseId,
      reporters: sql<number>`(select count(distinct r.user_id)::int from reports r
        where r.case_id = ${reports.caseId} and r.status = 'pending' or r.id = ${reports.id})`,
    })
    .from(reports)
    .leftJoin(reportCases, eq(reportCases.id, reports.caseId))
    .innerJoin(users, eq(users.id, reports.userId))
    .where(inArray(reports.id, ids))

/** Returns the state of the payment mailbox. */
export const mailboxesOf = (db: Db, ids: number[]): Promise<Details<'mailbox'>[]> =>
  db
    .select({
      id: mailboxReader.id,
      isPaused: sql<boolean>`${mailboxReader.pausedSince} is not null`,
      message: mailboxReader.lastFailure,
    })
    .from(mailboxReader)
    .where(inArray(mailboxReader.id, ids))

/** Returns the received payments with these ids. */
export const receivedOf = async (db: Db, ids: number[]): Promise<Details<'received'>[]> =>
  (await paymentRowsOf(db, ids)).map(
    ({ id, payerName, payerHandle, openCents, currency, rail, kind, difference, invoiceNumber }) => ({
      ...{ id, paymentId: id, payer: payerName || payerHandle, amount: openCents, currency, rail, caseKind: kind },
      ...{ difference, invoiceNumber },
    }),
  )

const excerpt = 160
/** Returns the inquiries with these ids, each with the beginning of its message. */
export const inquiriesOf = (db: Db, ids: number[]): Promise<Details<'inquiry'>[]> =>
  db
    .select({
      id: inquiries.id,
      inquiryId: inquiries.id,
      name: inquiries.name,
      message: sql<string>`left(${inquiries.message}, ${excerpt})`,
    })
    .from(inquiries)
    .where(inArray(inquiries.id, ids))

const assignee = alias(users, 'assignee')
/** Returns the tickets with these ids, each with the beginning of the newest message from the customer. */
export const ticketsOf = (db: Db, ids: number[]): Promise<Details<'ticket'>[]> =>
  db
    .select({
      id: tickets.id,
      ticketId: tickets.id,
      version: tickets.version,
      userId: tickets.userId,
      from: sql<string>`coalesce(${users.username}, ${tickets.name})`,
      subject: tickets.subject,
      message: sql<string>`(select left(m.body, ${excerpt}) from ticket_messages m
        where m.ticket_id = ${tickets.id} and m.kind = 'customer' order by m.id desc limit 1)`,
      assignee: assignee.username,
    })
    .from(tickets)
    .leftJoin(users, eq(users.id, tickets.userId))
    .leftJoin(assignee, eq(assignee.id, tickets.assigneeId))
    .where(inArray(tickets.id, ids))

/** Returns the refund requests with these ids. */
export const refundsOf = (db: Db, ids: number[]): Promise<Details<'refund'>[]> =>
  db
    .select({
      id: refundRequests.id,
      invoiceId: refundRequests.invoiceId,
      invoiceNumber: invoices.invoiceNumber,
      userId: refundRequests.userId,
      username: users.username,
      amount: invoices.amount,
      reason: sql<string>`left(${refundRequests.reason}, ${excerpt})`,
    })
    .from(refundRequests)
    .innerJoin(invoices, eq(invoices.id, refundRequests.invoiceId))
    .innerJoin(users, eq(users.id, refundRequests.userId))
    .where(inArray(refundRequests.id, ids))
