import { eq, sql } from 'drizzle-orm'
import { answerInquiry } from '#features/inquiries/server/service/update-inquiry.ts'
import { applyDecision } from '#features/reports/server/service/update-report.ts'
import type { Tx } from '#server/db/connect.ts'
import { reports } from '#server/db/tables.ts'
import type { Actor } from '#server/session/actor.ts'
import type { TicketStatus } from '../../contract.ts'
import type { TicketRow } from './lock-ticket.ts'

/** Marks the inquiry of a ticket as answered if it waits. `actor` is the user who did it. */
export async function settleInquiry(
  tx: Tx,
  { inquiryId }: TicketRow,
  actor: { id: number; requestId: string },
): Promise<void> {
  if (inquiryId !== null) await answerInquiry(tx, inquiryId, actor)
}

/**
 * Applies an administrator's answer or new status to the subject of a locked ticket: an inquiry is answered, and a report whose ticket is solved is
 * resolved, with an email to its author. Without the permission to handle reports, only the ticket is solved.
 */
export async function settleSubject(tx: Tx, ticket: TicketRow, status: TicketStatus, actor: Actor): Promise<void> {
  await settleInquiry(tx, ticket, { id: actor.admin.id, requestId: actor.requestId })
  if (ticket.reportId === null || status !== 'solved' || !actor.admin.permissions.includes('reports.edit')) return
  const [report] = await tx.select().from(reports).where(eq(reports.id, ticket.reportId))
  if (report && (report.status === 'pending' || report.status === 'reviewing'))
    await applyDecision(tx, report, { status: 'resolved' }, actor)
}

/** Since when a ticket waits after an administrator opened it: since the first unanswered message of the customer, or now. */
export const unansweredSince = (ticketId: number) => sql<string>`coalesce((
  select min(m.created_at) from ticket_messages m
  where m.ticket_id = ${ticketId} and m.kind = 'customer' and not m.is_first
    and m.id > coalesce((select max(s.id) from ticket_messages s where s.ticket_id = ${ticketId} and s.kind = 'staff'), 0)), now())`
