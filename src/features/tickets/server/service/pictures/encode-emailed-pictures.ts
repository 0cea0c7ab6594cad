import { Refusal } from '#server/errors.ts'
import { pictureFiles } from '../../../picture-rules.ts'
import type { NewPicture } from './sent-pictures.ts'
import { encodePicture } from './upload-picture.ts'

/** A picture in an email, by its name. */
export type MailedPicture = { name: string; bytes: Uint8Array }

/**
 * Encodes the first pictures of an email, as many as a message may have. `refused` names the others with the reason. Call it before a transaction:
 * it waits for the decoder.
 */
export async function encodeMailed(
  mailed: readonly MailedPicture[],
): Promise<{ pictures: NewPicture[]; refused: string[] }> {
  const pictures: NewPicture[] = []
  const refused: string[] = []
  for (const { name, bytes } of mailed)
    if (pictures.length >= pictureFiles.most)
      refused.push(`${name} was not accepted: at most ${pictureFiles.most} pictures fit in one message`)
    else if (bytes.length > pictureFiles.megabytes * 1024 * 1024)
      refused.push(`${name} was not accepted: ${pictureFiles.tooLarge}`)
    else
      try {
        pictures.push(await encodePicture(bytes))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refused.push(`${name} was not accepted: ${error.message}`)
      }
  return { pictures, refused }
}
