import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'

/**
 * Reads an uploaded image and checks its size while reading. The declared type is not trusted: what the bytes contain is decided when they
 * are decoded. Throws 415 (media type), 413 (size), 400 (empty, or interrupted).
 */
export async function readImageBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (!/^image\//i.test(request.headers.get('content-type') ?? ''))
    throw new Refusal(415, 'unsupported_media_type', 'Please send an image (content-type image/*)')
  if (Number(request.headers.get('content-length') ?? 0) > limits.upload.bytes) tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > limits.upload.bytes) tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(400, 'interrupted', 'The upload was interrupted. Please try again.')
  }
  if (size === 0) throw new Refusal(400, 'empty', 'The file is empty')
  return new Uint8Array(Buffer.concat(chunks))
}

function tooLarge(): never {
  throw new Refusal(413, 'too_large', 'The file is too large. Please use an image of at most 2 MB.')
}
