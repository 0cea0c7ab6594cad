import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { builtPages } from '#server/http/pages.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { listenRaw, type RawApp } from '../harness/raw-http.ts'
import { redirectTargets } from '../harness/redirect-targets.ts'

let app: TestApp
let raw: RawApp
const cookies: Record<string, string> = {}
beforeAll(async () => {
  app = await buildApp()
  const dist = join(import.meta.dirname, '../../dist')
  const { hono, responseCache, answerDirectly } = createApp({
    ...app.context,
    pages: await builtPages(app.context.config, dist),
    staticRoot: join(dist, 'client'),
  })
  raw = await listenRaw({ app: hono, responseCache, answerDirectly, context: app.context })
  const [customer, reset] = [await app.signIn(), await app.signIn({ mustChangePassword: true })]
  cookies.customer = `sid=${customer.client.cookies.get('sid')}`
  cookies.reset = `sid=${reset.client.cookies.get('sid')}`
})
afterAll(async () => {
  await raw.close()
  await app.close()
})

const get = (path: string, cookie = '') => raw.send({ method: 'GET', path, headers: { cookie } })
const urlOf = (location: string | undefined) => new URL(location ?? '', 'http://localhost:3000')

/** Follows redirects and returns the last address. Every step must stay on this site. */
async function end(path: string, cookie?: string): Promise<string> {
  for (let at = path, steps = 0; ; steps++) {
    const { status, headers } = await get(at, cookie)
    if (status !== 307) return at
    expect([urlOf(headers.location).origin, steps < 3], `${path} by ${at}`).toEqual(['http://localhost:3000', true])
    at = headers.location!
    if (at === '/') return at
  }
}

test('there are more than a hundred redirect targets', () => expect(redirectTargets.length).toBeGreaterThan(100))

test('a signed-in user is redirected to the home page for each target, from every page that redirects', {
  timeout: 60_000,
}, async () => {
  for (const page of ['/auth', '/choose-password'])
    for (const target of redirectTargets) {
      const path = await end(`${page}?redirect=${encodeURIComponent(target.toWellFormed())}`, cookies.customer)
      expect(path, `${page} ${JSON.stringify(target)}`).toBe('/')
    }
  for (const target of ['/dashboard', '/checkout?planId=3', '/admin?tab=users'])
    expect((await get(`/auth?redirect=${encodeURIComponent(target)}`, cookies.customer)).headers.location).toBe(target)
})

test('a user who must choose a password or sign in first is redirected to a page of this site', {
  timeout: 60_000,
}, async () => {
  for (const target of redirectTargets)
    for (const cookie of [cookies.reset, '']) {
      const { status, headers } = await get(`/dashboard?redirect=${encodeURIComponent(target.toWellFormed())}`, cookie)
      const { origin, pathname, searchParams } = urlOf(headers.location)
      expect([status, origin, pathname], JSON.stringify(target)).toEqual([
        307,
        'http://localhost:3000',
        cookie ? '/choose-password' : '/auth',
      ])
      expect(searchParams.get('redirect'), JSON.stringify(target)).toMatch(/^\/dashboard\?/)
    }
})

test('no normalized path redirects to another site', { timeout: 60_000 }, async () => {
  let redirects = 0
  for (const target of redirectTargets) {
    // Characters that a request line cannot contain are percent-encoded.
    const line = target.replaceAll(/[^\x21-\x7e]/g, (sign) => encodeURIComponent(sign.toWellFormed()))
    for (const path of [`/${line}/`, `${line}/`, `/invoices/${line}`, `/.${line}/`, `/x/..${line}/`]) {
      if (!path.startsWith('/')) continue
      const { status, headers } = await get(path)
      expect(status, path).toBeLessThan(500)
      if (!headers.location) continue
      redirects++
      expect(headers.location, path).toMatch(/^\/(?![/\\])/)
      expect(urlOf(headers.location).origin, path).toBe('http://localhost:3000')
    }
  }
  expect(redirects).toBeGreaterThan(100)
})
