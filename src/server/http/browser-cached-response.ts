import { createHash } from 'node:crypto'
import { textResponse } from './text-response.ts'

/**
 * Returns a JSON response with an ETag that only the user's browser may cache, for `seconds`. Returns 304 without a body if the browser already has this
 * version.
 */
export function browserCachedResponse(request: Request, text: string, headers: Headers, seconds: number): Response {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  headers.set('cache-control', `private, max-age=${seconds}`)
  headers.set('etag', etag)
  headers.set('vary', 'cookie')
  if (request.headers.get('if-none-match') !== etag) return textResponse(text, headers)
  headers.delete('content-type')
  return new Response(null, { status: 304, headers })
}
