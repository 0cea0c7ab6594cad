import * as z from 'zod/mini'
import { get, type Output, post } from '#kit/endpoint.ts'
import { id, idText, instant, paragraph } from '#kit/text.ts'

export const ticketKind = z.enum(['inquiry', 'report'])
export const ticketStatus = z.enum(['open', 'waiting', 'solved'])
export type TicketStatus = z.output<typeof ticketStatus>

/** Characters of one message. */
export const messageLength = 5_000
export const messageText = paragraph(1, messageLength, 'Please write a message')

/** A ticket as its customer sees it. */
export const ownTicket = z.object({
  id,
  kind: ticketKind,
  subject: z.string(),
  status: ticketStatus,
  createdAt: instant,
  lastMessageAt: instant,
})
export type OwnTicket = z.output<typeof ownTicket>

const ownMessage = z.object({
  id,
  /** Whether the customer wrote it. */
  isOwn: z.boolean(),
  via: z.enum(['site', 'email', 'hand']),
  body: z.string(),
  /** Attachments that were not accepted, with the reason. */
  refused: z.array(z.string()),
  createdAt: instant,
})

export const listTickets = get('/api/tickets', {
  summary: 'The tickets of the customer, the one with the newest message first',
  access: 'member',
  dependsOn: ['ticket', 'report', 'inquiry'],
  output: z.array(ownTicket),
})
const params = z.object({ ticketId: idText })
export const getTicket = get('/api/tickets/:ticketId', {
  summary: 'A ticket of the customer with its messages, oldest first',
  access: 'member',
  dependsOn: ['ticket', 'report', 'inquiry'],
  params,
  output: z.extend(ownTicket, { messages: z.array(ownMessage) }),
})
export type OwnThread = Output<typeof getTicket>

export const answerForm = z.object({ body: messageText })
export const answerTicket = post('/api/tickets/:ticketId/answers', {
  summary: 'Add a message to a ticket of the customer, which opens it again',
  access: 'member',
  limit: 'ticket',
  params,
  body: answerForm,
  output: getTicket.output,
})
export const closeTicket = post('/api/tickets/:ticketId/close', {
  summary: 'Mark a ticket of the customer as solved',
  access: 'member',
  limit: 'ticket',
  params,
  output: getTicket.output,
})
