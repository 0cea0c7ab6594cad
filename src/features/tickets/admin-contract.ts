// Admin endpoints of tickets.
import * as z from 'zod/mini'
import { reportIssue, reportStatus } from '#features/reports/contract.ts'
import { download } from '#kit/download.ts'
import { get, getFile, type Output, post, put } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { id, idParam, instant, rowVersion } from '#kit/text.ts'
import {
  attachedPictures,
  messageText,
  pictureBody,
  pictureFile,
  ticketKind,
  ticketPicture,
  ticketStatus,
} from './contract.ts'
import { pictureFiles } from './picture-rules.ts'

export const adminTicket = z.object({
  id,
  kind: ticketKind,
  subject: z.string(),
  /** The username of the customer, or the name that a visitor gave. */
  from: z.string(),
  /** The email address that replies are sent to. */
  email: z.string(),
  userId: z.nullable(id),
  status: ticketStatus,
  assigneeId: z.nullable(id),
  assignee: z.nullable(z.string()),
  createdAt: instant,
  lastMessageAt: instant,
  /** The time since which the customer has been waiting for an answer to a further message; null if they are not waiting. */
  waitingSince: z.nullable(instant),
  version: rowVersion,
})
export type AdminTicket = z.output<typeof adminTicket>

export const ticketSorts = ['lastMessageAt', 'status'] as const
/** The filter by assignee: the id of an administrator, or 0 for tickets without an assignee. */
const assigneeFilter = z.coerce.number<string | number>().check(z.int(), z.gte(0), z.lte(2147483647))
export const ticketListQuery = listQuery(ticketSorts, {
  status: z.optional(ticketStatus),
  assignee: z.optional(assigneeFilter),
})
export const listAllTickets = get('/api/admin/tickets', {
  summary: 'All tickets, newest message first',
  access: 'admin',
  needs: 'tickets.read',
  dependsOn: ['ticket', 'report', 'inquiry'],
  paged: true,
  query: ticketListQuery,
  output: z.array(adminTicket),
})
export const exportTickets = csvOf('/admin/tickets.csv', {
  needs: 'tickets.read',
  summary: 'All tickets as CSV',
  query: ticketListQuery,
})
export const listAssignees = get('/api/admin/ticket-assignees', {
  summary: 'The administrators whom a ticket can be assigned to',
  access: 'admin',
  needs: 'tickets.read',
  dependsOn: ['user'],
  output: z.array(z.object({ id, username: z.string() })),
})

const message = z.object({
  id,
  kind: z.enum(['customer', 'staff', 'note']),
  via: z.enum(['site', 'email', 'hand']),
  /** The username of the user who wrote or entered the message. */
  author: z.nullable(z.string()),
  /** The sender address of an emailed answer, if it is not proven or not an address of the ticket's customer; otherwise null. */
  sender: z.nullable(z.string()),
  body: z.string(),
  refused: z.array(z.string()),
  pictures: z.array(ticketPicture),
  createdAt: instant,
})

const params = z.object({ ticketId: idParam })
export const getThread = get('/api/admin/tickets/:ticketId', {
  summary: 'A ticket with its messages and notes, oldest first',
  access: 'admin',
  needs: 'tickets.read',
  dependsOn: ['ticket', 'report', 'inquiry', 'mail'],
  params,
  output: z.extend(adminTicket, {
    messages: z.array(message),
    /** The report that the ticket is about. */
    report: z.nullable(z.object({ id, issue: reportIssue, status: reportStatus })),
    inquiryId: z.nullable(id),
    /** The values for the fields in canned replies, by field name. */
    fields: z.record(z.string(), z.string()),
  }),
})
export type Thread = Output<typeof getThread>

/** The id of the newest message that the administrator has seen, so that an answer that arrived later is not overlooked. */
const seen = id
export const replyForm = z.object({ body: messageText, status: ticketStatus, pictures: attachedPictures })
export const replyToTicket = post('/api/admin/tickets/:ticketId/replies', {
  summary: 'Reply to the customer by email and in the account. Refused if there is a newer message',
  access: 'admin',
  needs: 'tickets.edit',
  limit: 'adminWrite',
  params,
  body: z.extend(replyForm, { seen }),
  output: getThread.output,
})
export const noteForm = z.object({ body: messageText })
export const addTicketNote = post('/api/admin/tickets/:ticketId/notes', {
  summary: 'Add a note that only administrators see',
  access: 'admin',
  needs: 'tickets.edit',
  limit: 'adminWrite',
  params,
  body: noteForm,
  output: getThread.output,
})
export const recordTicketAnswer = post('/api/admin/tickets/:ticketId/answers', {
  summary: 'Enter a customer’s answer that arrived elsewhere, such as by phone; this opens the ticket again',
  access: 'admin',
  needs: 'tickets.edit',
  limit: 'adminWrite',
  params,
  body: noteForm,
  output: getThread.output,
})
export const ticketChange = z.object({
  status: z.optional(ticketStatus),
  /** The id of an administrator; null removes the assignee. */
  assigneeId: z.optional(z.nullable(id)),
  /** The version that the administrator saw; a stale version is refused. */
  version: rowVersion,
})
export const updateTicket = put('/api/admin/tickets/:ticketId', {
  summary: 'Set the status or the assignee of a ticket',
  access: 'admin',
  needs: 'tickets.edit',
  limit: 'adminWrite',
  params,
  body: ticketChange,
  output: adminTicket,
})
export const uploadStaffPicture = post('/api/admin/ticket-pictures', {
  summary: 'Store a picture to be sent with a reply. The limits are those of customers’ pictures',
  access: 'admin',
  needs: 'tickets.edit',
  limit: 'staffPicture',
  upload: 'image/*',
  uploadMegabytes: pictureFiles.megabytes,
  body: pictureBody,
  output: ticketPicture,
})
export const getStaffPicture = getFile('/admin/ticket-pictures/:pictureFile', {
  summary: 'A picture in any ticket, or one that the administrator uploaded',
  access: 'admin',
  needs: 'tickets.read',
  file: 'image/webp',
  params: pictureFile,
  output: download,
})
