import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { endpoints } from '#server/app.ts'
import type { Row } from '../harness/access-row.ts'
import { rows } from '../harness/access-rows.ts'
import { adminWithoutTwoFactor, createWorld, type Principal, type World } from '../harness/access-world.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { createPlan } from '../harness/factories.ts'
import {
  equivalentPaths,
  invalidPaths,
  methodOverrideHeaders,
  otherMethods,
  spoofedHeaders,
} from '../harness/path-variants.ts'
import { listenRaw, type RawApp, type RawRequest } from '../harness/raw-http.ts'
import { tableHashes } from '../harness/table-hashes.ts'

let app: TestApp
let raw: RawApp
let plans: World['plans']
let asked = 0
const failures: string[] = []
beforeAll(async () => {
  app = await buildApp()
  raw = await listenRaw(app)
  plans = [await createPlan(app.db, { connections: 1 }), await createPlan(app.db, { connections: 2, price: 3_000 })]
})
afterAll(async () => {
  await raw.close()
  await app.close()
})

const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
/** Endpoints open to users who must change their password first, and to administrators who view a customer's account. */
const openBeforePassword = ['GET /api/user', 'PUT /api/account/password']
const openWhileLooking = ['POST /api/logout', 'POST /api/view/stop']

const isPublic = (row: Row) => row.anonymous === row.other

/** What the endpoint has to answer them. */
function due({ id, method }: AnyEndpoint, { as, restriction: must }: Principal): number {
  const row = rows[id]!
  if (must === 'only-look' && method !== 'GET' && !openWhileLooking.includes(id)) return 403
  if (must === 'choose-password' && !isPublic(row) && !openBeforePassword.includes(id)) return 403
  return row[as]
}

test('every endpoint has a row, and every row an endpoint', () => {
  expect(Object.keys(rows).sort()).toEqual([...byId.keys()].sort())
})

test('all other routes of the app are listed here and are public', () => {
  const paths = new Set(
    app.app.routes.filter(({ path }) => !endpoints.some((endpoint) => endpoint.path === path)).map(({ path }) => path),
  )
  expect([...paths].sort()).toEqual([
    '/*',
    '/api/*',
    '/api/docs',
    '/api/openapi.json',
    '/healthz',
    '/invoices/:invoiceNumber',
    '/readyz',
  ])
})

test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s answers each as its row says, however it is written',
  async (id, endpoint) => {
    const row = rows[id]!
    const world = await createWorld(app, plans)
    await row.prepare?.(world)
    const query = row.query?.(world) ?? ''
    const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => String(world.pathParams[name])) + query
    const [bare] = path.split('?')
    const requestFor = async (method: string): Promise<Pick<RawRequest, 'headers' | 'body'>> =>
      method === 'GET' || method === 'HEAD'
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify((await row.body?.(world)) ?? {}) }

    async function ask(
      who: Principal,
      wanted: number | number[],
      how: { method?: string; path?: string; headers?: Record<string, string>; what?: string } = {},
    ) {
      asked++
      const method = how.method ?? endpoint.method
      const { headers, body } = await requestFor(method)
      const sent = {
        method,
        path: how.path ?? path,
        headers: { ...headers, ...how.headers, ...(who.cookie && { cookie: who.cookie }) },
        ...(body && { body }),
      }
      const answer = await raw.send(sent)
      const said = `${sent.method} ${sent.path} (${how.what ?? 'as it is'}) by ${who.name}: ${answer.status} ${answer.text.slice(0, 200)}`
      const isRight =
        [wanted].flat().includes(answer.status) || (answer.status === 301 && answer.headers.location === path)
      if (!isRight) failures.push(`${said}, not ${wanted}`)
      if (answer.headers['access-control-allow-origin']) failures.push(`${said} is open to other sites`)
      const isMeant = who.as === 'owner' || (who.as === 'admin' && row.admin !== row.other) || id === 'POST /api/login'
      if (!isMeant && answer.text.includes(world.marker)) failures.push(`${said} tells what is the owner’s`)
      return answer
    }
    const refused = (status: number) => status >= 400
    const lacking = await adminWithoutTwoFactor(app)
    /** Asks as an administrator without the second factor while it is required; no other administrator has one either. */
    const askLacking = async (isRefused: boolean) => {
      const status = due(endpoint, lacking)
      if (refused(status) !== isRefused) return
      await app.database.pool.query(
        `INSERT INTO settings (key, value) VALUES ('accounts', '{"requireTwoFactorForAdmins":true}')`,
      )
      await ask(lacking, status)
      await app.database.pool.query("DELETE FROM settings WHERE key = 'accounts'")
    }
    const direct = world.principals.map((who) => ({ who, status: due(endpoint, who) }))
    const few = direct.filter(({ who }) =>
      ['anonymous', 'another customer', 'an administrator', ...(row.owner === row.other ? [] : ['the owner'])].includes(
        who.name,
      ),
    )
    /** A malformed id still addresses this endpoint: a client without access gets 401 or 403. */
    const nowhere = (status: number) => [400, 404, 405, ...(status === 401 || status === 403 ? [status] : [])]

    const before = await tableHashes(app.database.pool)
    for (const { who, status } of direct) if (refused(status)) await ask(who, status)
    await askLacking(true)
    for (const { who, status } of few)
      for (const trick of invalidPaths)
        await ask(who, nowhere(status), { path: trick.write(bare!) + query, what: trick.name })
    for (const { who, status } of few) {
      if (![401, 403, 404].includes(status)) continue
      for (const trick of equivalentPaths) await ask(who, status, { path: trick.write(path), what: trick.name })
      for (const headers of spoofedHeaders) await ask(who, status, { headers, what: Object.keys(headers).join() })
    }
    for (const method of otherMethods) {
      if (byId.has(`${method} ${endpoint.path}`) || (method === 'HEAD' && byId.has(`GET ${endpoint.path}`))) continue
      for (const { who } of few) {
        const { headers } = await ask(who, 405, { method, what: 'another method' })
        if (!headers.allow?.split(', ').includes(endpoint.method))
          failures.push(`${method} ${endpoint.path} does not say which method is right: ${headers.allow}`)
      }
    }
    // A method that is only claimed is not the method.
    const get = byId.get(`GET ${endpoint.path}`)
    for (const { who } of few.filter(({ status }) => endpoint.method !== 'GET' || refused(status)))
      for (const header of methodOverrideHeaders)
        await ask(who, get ? due(get, who) : 405, {
          method: 'GET',
          headers: { [header]: endpoint.method === 'GET' ? 'POST' : endpoint.method },
          what: header,
        })
    expect(await tableHashes(app.database.pool)).toEqual(before)

    for (const { who, status } of direct) if (!refused(status)) await ask(who, status)
    await askLacking(false)
    if (endpoint.method === 'GET')
      for (const { who, status } of few.filter((each) => !refused(each.status))) {
        for (const trick of equivalentPaths) await ask(who, status, { path: trick.write(path), what: trick.name })
        await ask(who, status, { method: 'HEAD', what: 'another method' })
      }
    expect(failures.splice(0)).toEqual([])
  },
)

test('that were more than 2,600 questions', () => {
  expect(asked).toBeGreaterThan(2_600)
})
