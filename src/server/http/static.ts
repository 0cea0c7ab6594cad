import { existsSync } from 'node:fs'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono, MiddlewareHandler } from 'hono'

/** What the file server's own list of types does not know. */
const types: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  m4s: 'video/iso.segment',
  vtt: 'text/vtt; charset=utf-8',
}

/** Built files with a hash in their name are kept for a year; the rest of `public/` for an hour. Precompressed siblings are used. */
export function mountStatic(app: Hono, root: string): void {
  if (!existsSync(root)) return
  const files = serveStatic({ root, precompressed: true })
  const kept =
    (cacheControl: string): MiddlewareHandler =>
    async (c, next) => {
      let isMissing = false
      const answer = await files(c, () => {
        isMissing = true
        return next()
      })
      // Whatever answered in its place says itself how long it may be kept.
      if (isMissing || !answer) return
      // Set here: the file server calls its onFound when the answer's headers are already fixed.
      answer.headers.set('cache-control', cacheControl)
      const type = types[c.req.path.slice(c.req.path.lastIndexOf('.') + 1)]
      if (type) answer.headers.set('content-type', type)
      return answer
    }
  app.use('/assets/*', kept('public, max-age=31536000, immutable'))
  app.use('*', (c, next) =>
    /\.(svg|png|ico|txt|xml|webmanifest|woff2|m3u8|ts|m4s|mp4|vtt|css|js)$/.test(c.req.path)
      ? kept('public, max-age=3600')(c, next)
      : next(),
  )
}
