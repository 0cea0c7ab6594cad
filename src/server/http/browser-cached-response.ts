import { createHash } from 'node:crypto'
import { textResponse } from './text-response.ts'

/** A JSON response that the browser of one user may cache for `seconds`, with an ETag. 304 without a body if the browser has this version. */
export function browserCachedResponse(request: Request, text: string, headers: Headers, seconds: number): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  headers.set('cache-control', `private, max-age=${seconds}`)
  headers.set('etag', etag)
  headers.set('vary', 'cookie')
  if (request.headers.get('if-none-match') !== etag) return textResponse(text, headers)
  headers.delete('content-type')
  return new Response(null, { status: 304, headers })
}
