import { existsSync } from 'node:fs'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono, MiddlewareHandler } from 'hono'

/** MIME types missing from the list of `serveStatic`. */
const types: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  vtt: 'text/vtt; charset=utf-8',
}

/** Serves the built files: those with a hash in their name are cacheable for a year, the rest of `public/` for an hour. Uses precompressed files. */
export function mountStatic(app: Hono, root: string): void {
  if (!existsSync(root)) return
  const files = serveStatic({ root, precompressed: true })
  const withCacheControl =
    (cacheControl: string): MiddlewareHandler =>
    async (c, next) => {
      let isMissing = false
      const answer = await files(c, () => {
        isMissing = true
        return next()
      })
      // If the file is missing, the handler that answered instead sets its own cache-control.
      if (isMissing || !answer) return
      // Not in `onFound` of serveStatic: it is called after the response headers are fixed.
      answer.headers.set('cache-control', cacheControl)
      const type = types[c.req.path.slice(c.req.path.lastIndexOf('.') + 1)]
      if (type) answer.headers.set('content-type', type)
      return answer
    }
  app.use('/assets/*', withCacheControl('public, max-age=31536000, immutable'))
  app.use('*', (c, next) =>
    /\.(svg|png|ico|txt|xml|webmanifest|woff2|m3u8|ts|m4s|mp4|vtt|css|js)$/.test(c.req.path)
      ? withCacheControl('public, max-age=3600')(c, next)
      : next(),
  )
}
