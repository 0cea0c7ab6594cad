import { asc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/connect.ts'
import { ticketMessages, ticketPictures } from '#server/db/tables.ts'
import { invalid } from '#server/errors.ts'
import type { TicketPicture } from '../../../contract.ts'

/** An encoded picture in full size (`bytes`) and as a small version, with the size of the full picture in pixels. */
export type NewPicture = Pick<typeof ticketPictures.$inferInsert, 'bytes' | 'small' | 'width' | 'height'>

/**
 * Attaches pictures that `userId` has uploaded to a message, in this order. Throws 400 for a picture of another user and for one that was sent before
 * or is no longer stored, always with the same error message.
 */
export async function sendPictures(
  tx: Tx,
  messageId: number,
  pictureIds: readonly string[] | undefined,
  userId: number,
): Promise<void> {
  if (!pictureIds?.length) return
  const { rowCount } = await tx.execute(sql`
    update ticket_pictures set message_id = ${messageId}, position = sent.position, uploaded_by = null
    from unnest(${sql.param(pictureIds)}::uuid[]) with ordinality as sent(id, position)
    where ticket_pictures.id = sent.id and uploaded_by = ${userId}`)
  if (rowCount !== pictureIds.length)
    invalid('pictures', 'A picture is no longer stored. Please remove it and attach it again.')
}

/** Adds pictures to a message, in this order. */
export async function addPictures(tx: Tx, messageId: number, pictures: readonly NewPicture[]): Promise<void> {
  if (pictures.length === 0) return
  await tx.insert(ticketPictures).values(pictures.map((picture, at) => ({ ...picture, messageId, position: at + 1 })))
}

/** Returns a function that takes the id of a message of this ticket and returns its pictures. */
export async function picturesOf(db: Db | Tx, ticketId: number): Promise<(messageId: number) => TicketPicture[]> {
  const { id, messageId, width, height, position } = ticketPictures
  const rows = await db
    .select({ id, messageId, width, height })
    .from(ticketPictures)
    .innerJoin(ticketMessages, eq(ticketMessages.id, messageId))
    .where(eq(ticketMessages.ticketId, ticketId))
    .orderBy(asc(position))
  const byMessage = Map.groupBy(rows, (row) => row.messageId)
  return (message) => (byMessage.get(message) ?? []).map(({ messageId: _, ...picture }) => picture)
}
