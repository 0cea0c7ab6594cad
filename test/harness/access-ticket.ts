import { eq } from 'drizzle-orm'
import {
  cannedReplies,
  inquiries,
  reportCases,
  reports,
  ticketMessages,
  ticketPictures,
  tickets,
} from '#server/db/tables.ts'
import type { TestApp } from './app.ts'

/** A report of the owner with its ticket, and an inquiry. */
export async function ticketRecords({ db }: TestApp, userId: number, marker: string) {
  const [report] = await db
    .insert(reports)
    .values({ userId, contentType: 'movie', contentName: marker, issue: 'other' })
    .returning()
  const [ticket] = await db.select().from(tickets).where(eq(tickets.reportId, report!.id))
  const [message] = await db.select().from(ticketMessages).where(eq(ticketMessages.ticketId, ticket!.id))
  const bytes = Buffer.from(marker)
  const [picture] = await db
    .insert(ticketPictures)
    .values({ messageId: message!.id, position: 1, bytes, small: bytes, width: 1, height: 1 })
    .returning({ id: ticketPictures.id })
  const [inquiry] = await db
    .insert(inquiries)
    .values({ name: marker, email: 'pat@example.org', message: `A question of ${marker}` })
    .returning()
  const [reportCase] = await db.insert(reportCases).values({ caseKey: marker, title: marker }).returning()
  await db.update(reports).set({ caseId: reportCase!.id }).where(eq(reports.id, report!.id))
  const [cannedReply] = await db.insert(cannedReplies).values({ name: marker, body: 'Hello {name}' }).returning()
  return {
    caseId: reportCase!.id,
    cannedReplyId: cannedReply!.id,
    reportId: report!.id,
    ticketId: ticket!.id,
    pictureFile: `${picture!.id}.webp`,
    inquiryId: inquiry!.id,
  }
}
