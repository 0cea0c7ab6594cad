import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaults } from '#features/settings/rules.ts'
import * as settings from '#features/settings/server/service.ts'
import { buildApp, type TestApp } from '../../../../test/harness/app.ts'
import { createUser } from '../../../../test/harness/factories.ts'
import { mountSiteFiles } from './site-files.ts'

const origin = 'https://tv.example'
const builtAt = new Date('2026-01-02T03:04:05.000Z')
let app: TestApp
beforeAll(async () => {
  app = await buildApp({ config: { publicUrl: origin } })
  mountSiteFiles(app.app, {
    ...app.context,
    publicPaths: new Map([
      ['/', []],
      ['/pricing', []],
    ]),
    builtAt,
  })
})
afterAll(() => app.close())

const textOf = async (path: string) => (await app.client().request(path)).text()

test('robots.txt allows everything except the API and names the sitemap', async () => {
  const response = await app.client().request('/robots.txt')
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await response.text()).toBe(`User-agent: *\nAllow: /\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`)
})

describe('the sitemap', () => {
  test('lists exactly the public pages, with the operator’s address', async () => {
    const body = await textOf('/sitemap.xml')
    expect([...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)).toEqual([
      `${origin}/`,
      `${origin}/pricing`,
    ])
  })

  test('has the build time as lastmod, or the time of the last settings change if that is later', async () => {
    expect(await textOf('/sitemap.xml')).toContain(`<lastmod>${builtAt.toISOString()}</lastmod>`)
    const admin = await createUser(app.db, { role: 'admin' })
    await app.db.transaction((tx) =>
      settings.writeSetting(
        tx,
        'site',
        { ...defaults.site, brand: { ...defaults.site.brand, name: 'Tele & Co' } },
        admin.id,
      ),
    )
    settings.clearCache()
    const [, changed = ''] = /<lastmod>(.*?)<\/lastmod>/.exec(await textOf('/sitemap.xml')) ?? []
    expect(Date.parse(changed)).toBeGreaterThan(builtAt.getTime())
  })
})

test('the manifest has the operator’s brand and starts at the dashboard', async () => {
  const response = await app.client().request('/manifest.webmanifest')
  expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
  const manifest = (await response.json()) as { icons: { sizes: string; purpose: string }[] }
  expect(manifest).toMatchObject({ name: 'Tele & Co', start_url: '/dashboard', display: 'standalone' })
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    'any any',
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
})
