import type { AnyEndpoint } from '#kit/endpoint.ts'
import { Refusal } from '../errors.ts'
import { limits } from '../limits.ts'

/** Returns the size limit of an image and the message for larger images. */
const limitOf = (megabytes: number) => ({
  bytes: megabytes * 1024 * 1024,
  tooLarge: `The file is too large. Please use an image of at most ${megabytes} MB.`,
})
type UploadType = NonNullable<AnyEndpoint['upload']>
const kinds: Record<UploadType, { types: RegExp; expected: string; bytes: number; tooLarge: string }> = {
  'image/*': {
    types: /^image\//i,
    expected: 'Please send an image (content-type image/*)',
    ...limitOf(limits.upload.bytes / 1024 / 1024),
  },
  'text/csv': {
    types: /^text\/csv$/i,
    expected: 'Please send a table (content-type text/csv)',
    bytes: limits.imports.bytes,
    tooLarge: 'The file is too large. Please use a file of at most 24 MB.',
  },
  'application/octet-stream': {
    types: /^application\/octet-stream$/i,
    expected: 'Please send a file (content-type application/octet-stream)',
    bytes: limits.statement.bytes,
    tooLarge: 'The file is too large. Please use a file of at most 5 MB, for example one that covers a shorter period.',
  },
  'application/json': {
    types: /^application\/json(;\s*charset=utf-8)?$/i,
    expected: 'Please send JSON (content-type application/json)',
    bytes: limits.event.bytes,
    tooLarge: 'The event is too large.',
  },
}

/**
 * Reads an uploaded file and checks its size while reading. The declared type is not trusted: what the bytes contain is found out when they are decoded.
 * `megabytes` is the limit of an image. Throws 415 (media type), 413 (size), 400 (empty, or interrupted).
 */
export async function readUploadBody(
  request: Request,
  type: UploadType,
  megabytes?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const kind = megabytes === undefined ? kinds[type] : { ...kinds[type], ...limitOf(megabytes) }
  if (!kind.types.test(request.headers.get('content-type') ?? ''))
    throw new Refusal(415, 'unsupported_media_type', kind.expected)
  const refuseSize = () => {
    throw new Refusal(413, 'too_large', kind.tooLarge)
  }
  if (Number(request.headers.get('content-length') ?? 0) > kind.bytes) refuseSize()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength
      if (size > kind.bytes) refuseSize()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(400, 'interrupted', 'The upload was interrupted. Please try again.')
  }
  if (size === 0) throw new Refusal(400, 'empty', 'The file is empty')
  return new Uint8Array(Buffer.concat(chunks))
}
