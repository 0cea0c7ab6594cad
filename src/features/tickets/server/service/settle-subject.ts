import { eq, sql } from 'drizzle-orm'
import { answerInquiry } from '#features/inquiries/server/service/update-inquiry.ts'
import { applyDecision } from '#features/reports/server/service/update-report.ts'
import type { Tx } from '#server/db/connect.ts'
import { reports } from '#server/db/tables.ts'
import type { Actor } from '#server/session/actor.ts'
import type { TicketStatus } from '../../contract.ts'
import type { TicketRow } from './lock-ticket.ts'

/** Marks the inquiry of a ticket as answered if it is open. `actor` is the user who caused this. */
export async function settleInquiry(
  tx: Tx,
  { inquiryId }: TicketRow,
  actor: { id: number; requestId: string },
): Promise<void> {
  if (inquiryId !== null) await answerInquiry(tx, inquiryId, actor)
}

/**
 * Applies an administrator's reply or new status to the inquiry or report of a locked ticket. An inquiry is marked as answered. If the ticket is
 * solved, its report is resolved, with an email to its author; without the permission to handle reports, only the ticket is solved.
 */
export async function settleSubject(tx: Tx, ticket: TicketRow, status: TicketStatus, actor: Actor): Promise<void> {
  await settleInquiry(tx, ticket, { id: actor.admin.id, requestId: actor.requestId })
  if (ticket.reportId === null || status !== 'solved' || !actor.admin.permissions.includes('reports.edit')) return
  const [report] = await tx.select().from(reports).where(eq(reports.id, ticket.reportId))
  if (report && (report.status === 'pending' || report.status === 'reviewing'))
    await applyDecision(tx, report, { status: 'resolved' }, actor)
}

/** The time since which a ticket that an administrator reopened has been waiting: the first unanswered message from the customer, or now. */
export const unansweredSince = (ticketId: number) => sql<string>`coalesce((
  select min(m.created_at) from ticket_messages m
  where m.ticket_id = ${ticketId} and m.kind = 'customer' and not m.is_first
    and m.id > coalesce((select max(s.id) from ticket_messages s where s.ticket_id = ${ticketId} and s.kind = 'staff'), 0)), now())`
