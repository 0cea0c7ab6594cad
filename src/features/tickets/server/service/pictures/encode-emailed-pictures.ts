import { Refusal } from '#server/errors.ts'
import { pictureFiles } from '../../../picture-rules.ts'
import type { NewPicture } from './sent-pictures.ts'
import { encodePicture } from './upload-picture.ts'

/** A picture that is attached to an email, with its file name. */
export type EmailedPicture = { name: string; bytes: Uint8Array }

/**
 * Encodes the first usable pictures of an email, as many as a message may have. `refused` describes the others with the reason. Must not be called
 * inside a transaction, because decoding takes time.
 */
export async function encodeEmailedPictures(
  mailed: readonly EmailedPicture[],
): Promise<{ pictures: NewPicture[]; refused: string[] }> {
  const pictures: NewPicture[] = []
  const refused: string[] = []
  for (const { name, bytes } of mailed)
    if (pictures.length >= pictureFiles.max)
      refused.push(`${name} was not accepted: at most ${pictureFiles.max} pictures fit in one message`)
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
