import { desc, eq } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { invoices, plans, reports, ticketMessages, tickets, users } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { Thread } from '../../admin-contract.ts'
import { picturesOf } from './pictures/sent-pictures.ts'
import { adminTicket } from './read-tickets.ts'

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** Returns a ticket with its messages and notes, and the values for the fields in canned replies. `agent` is the administrator's username. Throws 404. */
export async function readThread(db: Db | Tx, id: number, agent: string): Promise<Thread> {
  const ticket = await adminTicket(db, id)
  const [[link], messages] = await Promise.all([
    db
      .select({
        inquiryId: tickets.inquiryId,
        report: { id: reports.id, issue: reports.issue, status: reports.status },
      })
      .from(tickets)
      .leftJoin(reports, eq(reports.id, tickets.reportId))
      .where(eq(tickets.id, id)),
    messagesOf(db, id),
  ])
  return {
    ...ticket,
    messages,
    report: link?.report ?? null,
    inquiryId: link?.inquiryId ?? null,
    fields: await fieldsOf(db, ticket, agent),
  }
}

/** Returns the newest messages of a ticket, oldest first. */
const messagesOf = async (db: Db | Tx, ticketId: number): Promise<Thread['messages']> => {
  const newest = await db
    .select({
      id: ticketMessages.id,
      kind: ticketMessages.kind,
      via: ticketMessages.via,
      author: users.username,
      sender: ticketMessages.sender,
      body: ticketMessages.body,
      refused: ticketMessages.refused,
      createdAt: ticketMessages.createdAt,
    })
    .from(ticketMessages)
    .leftJoin(users, eq(users.id, ticketMessages.authorId))
    .where(eq(ticketMessages.ticketId, ticketId))
    .orderBy(desc(ticketMessages.id))
    .limit(limits.lists.maximum)
  const pictures = await picturesOf(db, ticketId)
  return newest.reverse().map((message) => ({ ...message, pictures: pictures(message.id) }))
}

async function fieldsOf(
  db: Db | Tx,
  { userId, from, subject }: Pick<Thread, 'userId' | 'from' | 'subject'>,
  agent: string,
): Promise<Record<string, string>> {
  const { brand } = await settings.read(db, 'site')
  const known = { name: from, subject, agent, brand: brand.name }
  if (userId === null) return known
  const [[customer], [latest]] = await Promise.all([
    db
      .select({ fullName: users.fullName, plan: plans.name, until: users.subscriptionEndDate })
      .from(users)
      .leftJoin(plans, eq(plans.id, users.planId))
      .where(eq(users.id, userId)),
    db
      .select({ number: invoices.invoiceNumber })
      .from(invoices)
      .where(eq(invoices.userId, userId))
      .orderBy(desc(invoices.createdAt), desc(invoices.id))
      .limit(1),
  ])
  return {
    ...known,
    name: customer?.fullName || from,
    ...(latest && { order: latest.number }),
    ...(customer?.plan && { plan: customer.plan }),
    ...(customer?.until && { until: dateFormat.format(new Date(customer.until)) }),
  }
}
