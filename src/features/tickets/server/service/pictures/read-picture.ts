import { and, eq, isNotNull, ne, or, type SQL } from 'drizzle-orm'
import type { Download } from '#kit/download.ts'
import { isUuid } from '#kit/text.ts'
import type { Db } from '#server/db/connect.ts'
import { ticketMessages, ticketPictures, tickets } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'

const suffix = '-small'

/** Returns a picture of a customer's own ticket, or one that the customer uploaded. Throws 404, including for pictures of other customers. */
export const readOwnPicture = (db: Db, file: string, userId: number): Promise<Download> =>
  readPicture(
    db,
    file,
    or(eq(ticketPictures.uploadedBy, userId), and(eq(tickets.userId, userId), ne(ticketMessages.kind, 'note'))),
  )

/** Returns a picture of any ticket, or one that this administrator uploaded. Throws 404. */
export const readPictureForStaff = (db: Db, file: string, userId: number): Promise<Download> =>
  readPicture(db, file, or(eq(ticketPictures.uploadedBy, userId), isNotNull(ticketPictures.messageId)))

async function readPicture(db: Db, file: string, mayRead: SQL | undefined): Promise<Download> {
  const name = file.slice(0, -'.webp'.length)
  const isSmall = name.endsWith(suffix)
  const id = isSmall ? name.slice(0, -suffix.length) : name
  if (!isUuid(id)) return notFound('Picture not found')
  const [found] = await db
    .select({ bytes: isSmall ? ticketPictures.small : ticketPictures.bytes })
    .from(ticketPictures)
    .leftJoin(ticketMessages, eq(ticketMessages.id, ticketPictures.messageId))
    .leftJoin(tickets, eq(tickets.id, ticketMessages.ticketId))
    .where(and(eq(ticketPictures.id, id), mayRead))
  if (!found) return notFound('Picture not found')
  return { name: 'picture.webp', bytes: new Uint8Array(found.bytes) }
}
