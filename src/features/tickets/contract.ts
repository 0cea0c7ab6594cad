import * as z from 'zod/mini'
import { download } from '#kit/download.ts'
import { get, getFile, type Output, post } from '#kit/endpoint.ts'
import { id, idParam, instant, paragraph } from '#kit/text.ts'
import { pictureFiles } from './picture-rules.ts'

export const ticketKind = z.enum(['inquiry', 'report'])
export const ticketStatus = z.enum(['open', 'waiting', 'solved'])
export type TicketStatus = z.output<typeof ticketStatus>

/** The maximum number of characters in a message. */
export const messageLength = 5_000
export const messageText = paragraph(1, messageLength, 'Please write a message')

/** A picture of a message. The id is random and part of the picture URL. */
export const ticketPicture = z.object({ id: z.uuid(), width: z.int(), height: z.int() })
export type TicketPicture = z.output<typeof ticketPicture>
/** The ids of the uploaded pictures that are sent with a message. */
export const attachedPictures = z.optional(
  z.array(z.uuid()).check(z.maxLength(pictureFiles.max, `At most ${pictureFiles.max} pictures fit in one message`)),
)
/** The file name of a picture, or of its small version for the thread. */
export const pictureFile = z.object({ pictureFile: z.string().check(z.regex(/^[0-9a-f-]{36}(-small)?\.webp$/)) })
export const pictureBody = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array)

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
  /** Whether the customer wrote the message. */
  isOwn: z.boolean(),
  via: z.enum(['site', 'email', 'hand']),
  body: z.string(),
  /** Descriptions of the attachments that were not accepted, with the reasons. */
  refused: z.array(z.string()),
  pictures: z.array(ticketPicture),
  createdAt: instant,
})

export const listTickets = get('/api/tickets', {
  summary: 'The customer’s own tickets, newest message first',
  access: 'member',
  dependsOn: ['ticket', 'report', 'inquiry'],
  output: z.array(ownTicket),
})
const params = z.object({ ticketId: idParam })
export const getTicket = get('/api/tickets/:ticketId', {
  summary: 'A ticket of the customer, with its messages, oldest first',
  access: 'member',
  dependsOn: ['ticket', 'report', 'inquiry'],
  params,
  output: z.extend(ownTicket, { messages: z.array(ownMessage) }),
})
export type OwnThread = Output<typeof getTicket>

export const answerForm = z.object({ body: messageText, pictures: attachedPictures })
export const answerTicket = post('/api/tickets/:ticketId/answers', {
  summary: 'Add a message to a ticket of the customer. This opens the ticket again',
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
export const uploadPicture = post('/api/ticket-pictures', {
  summary:
    'Store a picture to be sent with a message: PNG, JPEG or WebP of at most 8 MB and 40 megapixels. The picture is encoded again, and removed after a day if it has not been sent',
  access: 'member',
  limit: 'ticketPicture',
  upload: 'image/*',
  uploadMegabytes: pictureFiles.megabytes,
  body: pictureBody,
  output: ticketPicture,
})
export const getPicture = getFile('/ticket-pictures/:pictureFile', {
  summary: 'A picture in one of the customer’s tickets, or one that the customer uploaded',
  access: 'member',
  openWhileViewing: true,
  file: 'image/webp',
  params: pictureFile,
  output: download,
})
