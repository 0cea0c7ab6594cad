import { max, sql } from 'drizzle-orm'
import type { Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import { auditLog, settings } from '../../db/tables.ts'
import type { PublicPaths } from '../response-cache.ts'

type Parts = { config: Pick<Config, 'publicUrl'>; db: Db; publicPaths: PublicPaths; builtAt: Date }
const site = z.object({
  brand: z.object({ name: z.string() }),
  icons: z.object({ small: z.string(), medium: z.string(), large: z.string() }),
})
/** Served from the response cache until the settings or the catalog change. */
export const siteFilePaths = ['/robots.txt', '/sitemap.xml', '/manifest.webmanifest']
/** `--bg` of the light pages and of the dark header section, copied from tokens.css for the manifest. */
const colors = { page: '#fcf9f4', stage: '#140d0a' }

/** Serves robots.txt, sitemap.xml and the web app manifest. They contain the operator's brand and address, so they are not static files. */
export function mountSiteFiles(app: Hono, { config, db, publicPaths, builtAt }: Parts): void {
  const origin = config.publicUrl
  const send = (c: Context, type: string, body: string) =>
    c.body(body, 200, { 'content-type': type, 'cache-control': 'public, max-age=3600' })

  app.get('/robots.txt', (c) =>
    send(
      c,
      'text/plain; charset=utf-8',
      `User-agent: *\nAllow: /\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`,
    ),
  )

  app.get('/sitemap.xml', async (c) => {
    const lastmod = (await lastChange(db, builtAt)).toISOString()
    const urls = [...publicPaths.keys()]
      .map((path) => `  <url><loc>${escaped(origin + path)}</loc><lastmod>${lastmod}</lastmod></url>\n`)
      .join('')
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}</urlset>\n`
    return send(c, 'application/xml; charset=utf-8', body)
  })

  app.get('/manifest.webmanifest', async (c) => {
    const { brand, icons } = site.parse(await (await app.request('/api/site')).json())
    const icon = (size: number, file: string, purpose: string) => ({
      src: file,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })
    const manifest = {
      id: '/',
      name: brand.name,
      short_name: brand.name,
      lang: 'en',
      start_url: '/dashboard',
      scope: '/',
      display: 'standalone',
      background_color: colors.page,
      theme_color: colors.stage,
      icons: [
        ...(icons.small.endsWith('.svg')
          ? [{ src: icons.small, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }]
          : []),
        icon(192, icons.medium, 'any'),
        icon(512, icons.large, 'any'),
        ...(icons.large === '/icon-512.png' ? [icon(512, '/icon-maskable-512.png', 'maskable')] : []),
      ],
    }
    return send(c, 'application/manifest+json; charset=utf-8', JSON.stringify(manifest))
  })
}

/** When public pages last changed: the build time, the last settings change or the last catalog change in the audit log. */
async function lastChange(db: Db, builtAt: Date): Promise<Date> {
  const [[setting], [edit]] = await Promise.all([
    db.select({ at: max(settings.updatedAt) }).from(settings),
    db
      .select({ at: max(auditLog.at) })
      .from(auditLog)
      .where(sql`${auditLog.action} ~ '^(plan|channel|faq|device|setup_guide)'`),
  ])
  return new Date(Math.max(builtAt.getTime(), Date.parse(setting?.at ?? '') || 0, Date.parse(edit?.at ?? '') || 0))
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
