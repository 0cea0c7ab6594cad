import { encodePhoto } from '#features/images/server/encode-image.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { ticketPictures } from '#server/db/tables.ts'
import type { TicketPicture } from '../../../contract.ts'
import type { NewPicture } from './sent-pictures.ts'

/** Encodes an image file in the format in which pictures are stored. Throws 4xx with the reason if the file is not a usable image. */
export async function encodePicture(file: Uint8Array): Promise<NewPicture> {
  const { main, small } = await encodePhoto(Buffer.from(file.buffer, file.byteOffset, file.byteLength))
  return { bytes: main.bytes, small: small.bytes, width: main.width, height: main.height }
}

/** Stores an uploaded image file, which the user can then send with a message. Throws 4xx with the reason if the file is not a usable image. */
export async function uploadPicture(db: Db, file: Uint8Array, userId: number): Promise<TicketPicture> {
  const picture = await encodePicture(file)
  const { id, width, height } = ticketPictures
  return inTransaction(db, async (tx) => {
    const [stored] = await tx
      .insert(ticketPictures)
      .values({ ...picture, uploadedBy: userId })
      .returning({ id, width, height })
    return stored!
  })
}
