import { existsSync } from 'node:fs'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'

/** Built files with a hash in their name are kept for a year; the rest of `public/` for an hour. Precompressed siblings are used. */
export function mountStatic(app: Hono, root: string): void {
  if (!existsSync(root)) return
  app.use('/assets/*', serveStatic({ root, precompressed: true, onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable') }))
  app.use('*', async (c, next) => {
    if (!/\.(svg|png|ico|txt|xml|webmanifest|woff2|m3u8|ts|m4s|mp4|css|js)$/.test(c.req.path)) return next()
    return serveStatic({ root, precompressed: true, onFound: (_path, ctx) => ctx.header('cache-control', 'public, max-age=3600') })(c, next)
  })
}
