import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { inquiries, invoices, lineJobs, reports, trialRequests } from '#server/db/tables.ts'
import { queueLength } from '../../admin-queue-contract.ts'
import type { QueueKind } from '../../queue-rules.ts'
import {
  isMailboxUnread,
  isPaymentToCheck,
  isTicketWaiting,
  isToMatch,
  isWithoutLink,
  mailboxUnreadSince,
  receivedSince,
  waitsSince,
} from '../waiting-work.ts'

export type Candidate = {
  kind: QueueKind
  id: number
  since: string
  /** The case of a report; null for a report in no case and for other kinds. */
  caseId: number | null
}

/** Reports are grouped into cases, so more rows are read: the oldest, and as many of the newest, which may be a burst with a shorter promised time. */
const reportsRead = 200

const noCase = sql`null::int as "caseId"`
const waitingInvoices = (kind: QueueKind, condition: SQL) => sql`
  select ${kind}::text as kind, ${invoices.id}::int as id, ${waitsSince} as since, ${noCase}
  from ${invoices} where ${condition} order by ${waitsSince}, ${invoices.id} limit ${queueLength}`
const pendingReports = (direction: SQL) => sql`
  select ${reports.id} as id, ${reports.createdAt} as since, ${reports.caseId} as "caseId"
  from ${reports} where ${reports.status} = 'pending'
  order by ${reports.createdAt} ${direction}, ${reports.id} ${direction} limit ${reportsRead}`

/** All items of a kind have the same promised time, so the oldest items have the least time left. An index returns them first. */
const longestWaiting: Record<QueueKind, SQL> = {
  payment: waitingInvoices('payment', isPaymentToCheck),
  card_link: waitingInvoices('card_link', isWithoutLink),
  // Jobs are created in the order of their ids.
  line: sql`select 'line', ${lineJobs.id}::int, ${lineJobs.createdAt}, ${noCase}
    from ${lineJobs} where ${lineJobs.task} is not null order by ${lineJobs.id} limit ${queueLength}`,
  trial: sql`select 'trial', ${trialRequests.id}, ${trialRequests.requestDate}, ${noCase}
    from ${trialRequests} where ${trialRequests.status} = 'pending'
    order by ${trialRequests.requestDate}, ${trialRequests.id} limit ${queueLength}`,
  report: sql`select 'report', pending.* from ((${pendingReports(sql`asc`)}) union (${pendingReports(sql`desc`)})) as pending`,
  inquiry: sql`select 'inquiry', ${inquiries.id}, ${inquiries.createdAt}, ${noCase}
    from ${inquiries} where ${inquiries.status} = 'open'
    order by ${inquiries.createdAt}, ${inquiries.id} limit ${queueLength}`,
  ticket: sql`select 'ticket', id, waiting_since, ${noCase}
    from tickets where ${isTicketWaiting} order by waiting_since, id limit ${queueLength}`,
  refund: sql`select 'refund', id, created_at, ${noCase}
    from refund_requests where status = 'pending' order by created_at, id limit ${queueLength}`,
  received: sql`select 'received', payment_id::int, ${receivedSince}, ${noCase}
    from payment_cases where ${isToMatch} order by created_at, payment_id limit ${queueLength}`,
  mailbox: sql`select 'mailbox', id, ${mailboxUnreadSince}, ${noCase} from mailbox_reader where ${isMailboxUnread}`,
}

/** Returns the rows of these kinds that have been waiting longest, oldest first, and the current time of the database. */
export async function findCandidates(
  db: Db,
  kinds: readonly QueueKind[],
): Promise<{ now: string; candidates: Candidate[] }> {
  const union = sql.join(
    [
      sql`(select 'now' as kind, 0 as id, now() as since, ${noCase})`,
      ...kinds.map((kind) => sql`(${longestWaiting[kind]})`),
    ],
    sql` union all `,
  )
  const { rows } = await db.execute<Omit<Candidate, 'kind'> & { kind: QueueKind | 'now' }>(union)
  const [clock, ...candidates] = rows.map((row) => ({ ...row, since: new Date(row.since).toISOString() }))
  return {
    now: clock!.since,
    candidates: (candidates as Candidate[]).sort((a, b) =>
      a.since < b.since ? -1 : a.since > b.since ? 1 : a.id - b.id,
    ),
  }
}
