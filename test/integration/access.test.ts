import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { endpoints } from '#server/app.ts'
import { limits } from '#server/limits.ts'
import { createKeys, expectedOfKey, type KeyPrincipal } from '../harness/access-keys.ts'
import { adminWithoutTwoFactor, type Principal } from '../harness/access-principals.ts'
import type { Row } from '../harness/access-row.ts'
import { rows } from '../harness/access-rows.ts'
import { createStaff, isAllowedTo, type StaffPrincipal } from '../harness/access-staff.ts'
import { createWorld, type World } from '../harness/access-world.ts'
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
import { isFullSize, variantsOfCase } from '../harness/scale.ts'
import { recordTableWrites, type TableWrites } from '../harness/table-writes.ts'

let app: TestApp
let raw: RawApp
let tableWrites: TableWrites
let plans: World['plans']
let shared: { world: Promise<World>; createdAt: number } | undefined
let staff: { principals: Promise<StaffPrincipal[]>; createdAt: number } | undefined
let keys: KeyPrincipal[]
let requests = 0
/** The tables written by permitted requests. */
const written = new Set<string>()
const failures: string[] = []
const { minimumMs } = limits.passwordReset
beforeAll(async () => {
  limits.passwordReset.minimumMs = 1
  app = await buildApp()
  raw = await listenRaw(app)
  tableWrites = await recordTableWrites(app.database.pool)
  keys = await createKeys(app)
  plans = [await createPlan(app.db, { connections: 1 }), await createPlan(app.db, { connections: 2, price: 3_000 })]
})
afterAll(async () => {
  limits.passwordReset.minimumMs = minimumMs
  await raw.close()
  await app.close()
})

/** Returns the world for requests that change nothing. It is replaced after half a minute, because a request with an older session would renew that session. */
function sharedWorld(): Promise<World> {
  if (!shared || Date.now() - shared.createdAt > 30_000)
    shared = { world: createWorld(app, plans), createdAt: Date.now() }
  return shared.world
}

/** Returns one staff member for each role. They are replaced after half a minute for the same reason. */
function staffPrincipals(): Promise<StaffPrincipal[]> {
  if (!staff || Date.now() - staff.createdAt > 30_000) staff = { principals: createStaff(app), createdAt: Date.now() }
  return staff.principals
}

const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
/** Endpoints open to users who must change their password first, and to administrators who view a customer's account. */
const openBeforePassword = ['GET /api/user', 'PUT /api/account/password']
const openWhileViewing = ['POST /api/logout', 'POST /api/view/stop']

/** The short form tries each variant on one in 32 endpoints, which are at least eight endpoints. */
const variantShare = 32

/**
 * Clients without a valid session, and keys that are refused everywhere. The app treats all of a group in the same way, so the short form uses one of each
 * group per endpoint.
 */
const endedSessions = [
  'a made-up session',
  'two session cookies',
  'a logged-out administrator',
  'an administrator whose session has expired',
  'an administrator who was deleted',
]
const refusedKeys = [
  'an unknown key',
  'a broken key',
  'a revoked key',
  'an expired key',
  'the key of a demoted administrator',
  'the key of a deleted administrator',
]
const isSelected = (name: string, index: number) =>
  isFullSize || [endedSessions, refusedKeys].every((names) => [-1, index % names.length].includes(names.indexOf(name)))

/** The codes with which API keys are refused. */
const keyRefusals = [
  'unknown_api_key',
  'revoked_api_key',
  'ended_api_key',
  'creator_not_staff',
  'not_for_api_keys',
  'missing_scope',
  'two_factor_required',
]

const isPublic = (row: Row) => row.anonymous === row.other

/** Returns the status that the endpoint must return to a principal. */
function expectedStatus({ id, method, access }: AnyEndpoint, { as, restriction: must }: Principal): number {
  const row = rows[id]!
  if (must === 'only-watch' && access !== 'watcher') return row.anonymous
  if (must === 'read-only' && method !== 'GET' && !openWhileViewing.includes(id)) return 403
  if (must === 'choose-password' && !isPublic(row) && !openBeforePassword.includes(id)) return 403
  return row[as]
}

test('the access matrix has exactly one row for each endpoint', () => {
  expect(Object.keys(rows).sort()).toEqual([...byId.keys()].sort())
})

test('all other routes of the app are listed here and are public', () => {
  const paths = new Set(
    app.app.routes.filter(({ path }) => !endpoints.some((endpoint) => endpoint.path === path)).map(({ path }) => path),
  )
  expect([...paths].sort()).toEqual([
    '/*',
    // The credentials of a TV app, checked in the tests of devices.
    '/:username{[a-z0-9]{8}}/:password{[a-z0-9]{16}}/:file{[0-9]{1,9}(?:\\.(?:m3u8|ts))?}',
    '/api/*',
    '/api/docs',
    '/api/openapi.json',
    '/direct/:play/loader.js',
    '/direct/check/:id/loader.js',
    '/get.php',
    '/healthz',
    '/invoices/:invoiceNumber',
    '/link',
    '/live/:username/:password/:file',
    '/player_api.php',
    '/readyz',
    '/stream/:play/:sealed',
    '/stream/check/:id',
    '/timeshift/:username/:password/:minutes/:start/:file',
    '/xmltv.php',
  ])
})

test.each(endpoints.map((endpoint, index) => [endpoint.id, endpoint, index] as const))(
  '%s returns the status in its row to each principal, for every spelling of the path',
  async (id, endpoint, index) => {
    const some = <T>(variants: readonly T[]) => variantsOfCase(variants, variantShare, index)
    const row = rows[id]!
    const world = await (endpoint.method === 'GET' && !row.prepare ? sharedWorld() : createWorld(app, plans))
    await row.prepare?.(world)
    const query = row.query?.(world) ?? ''
    const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => String(world.pathParams[name])) + query
    const [bare] = path.split('?')
    const requestFor = async (method: string): Promise<Pick<RawRequest, 'headers' | 'body'>> =>
      method === 'GET' || method === 'HEAD'
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify((await row.body?.(world)) ?? {}) }

    async function send(
      who: Pick<Principal, 'name' | 'cookie'> & { as?: Principal['as']; apiKey?: string },
      expected: number | number[],
      variant: { method?: string; path?: string; headers?: Record<string, string>; what?: string } = {},
    ) {
      requests++
      const method = variant.method ?? endpoint.method
      const { headers, body } = await requestFor(method)
      const sent = {
        method,
        path: variant.path ?? path,
        headers: {
          ...headers,
          ...variant.headers,
          ...(who.cookie && { cookie: who.cookie }),
          ...(who.apiKey && { authorization: `Bearer ${who.apiKey}` }),
        },
        ...(body && { body }),
      }
      const response = await raw.send(sent)
      const description = `${sent.method} ${sent.path} (${variant.what ?? 'unchanged'}) by ${who.name}: ${response.status} ${response.text.slice(0, 200)}`
      const isExpected =
        [expected].flat().includes(response.status) || (response.status === 301 && response.headers.location === path)
      if (!isExpected) failures.push(`${description}, not ${expected}`)
      if (response.headers['access-control-allow-origin']) failures.push(`${description} allows other origins`)
      const maySeeOwner =
        who.as === 'owner' || (who.as === 'admin' && row.admin !== row.other) || id === 'POST /api/login'
      if (!maySeeOwner && response.text.includes(world.marker))
        failures.push(`${description} contains the owner’s data`)
      return response
    }
    const refused = (status: number) => status >= 400
    const withoutTwoFactor = await adminWithoutTwoFactor(app)
    /**
     * Sends the request with API keys. Refused keys get 401 everywhere except at public GET endpoints, keys without the required scope get 403, and no key gets
     * a cookie. The headers of a page on another site have no effect.
     */
    const sendWithKeys = async (isRefused: boolean, whileRequired = false) => {
      for (const who of keys) {
        if (!isSelected(who.name, index)) continue
        const status = expectedOfKey(who, endpoint, row)
        const isOpen = status === 'allowed' || !refused(status)
        if (isOpen === isRefused || whileRequired !== (who.whileRequired ?? false)) continue
        const anyResult = endpoint.method === 'GET' ? row.admin : [200, 400, 403, 404, 409, 415, 429, 503]
        const { text, headers } = await send(
          { ...who, ...(status === 'allowed' && { as: 'admin' as const }) },
          status === 'allowed' ? anyResult : status,
          { headers: { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' } },
        )
        const code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
        if (headers['set-cookie']) failures.push(`${id} sets a cookie for ${who.name}`)
        if (status === 'allowed' && keyRefusals.includes(code)) failures.push(`${who.name}: ${text}`)
        const isOfKey = endpoint.access !== 'public' || endpoint.method !== 'GET'
        if (isOfKey && isRefused && !keyRefusals.includes(code)) failures.push(`${who.name}: ${text}`)
        if (isOfKey && status === 401 && !headers['www-authenticate']?.startsWith('Bearer'))
          failures.push(`${id} does not ask ${who.name} for another key`)
      }
    }
    /** Sends the request as an administrator without the required second factor; no other administrator has one either. */
    const sendWithoutTwoFactor = async (isRefused: boolean) => {
      const status = expectedStatus(endpoint, withoutTwoFactor)
      if (refused(status) !== isRefused) return
      await tableWrites.unrecorded(
        `INSERT INTO settings (key, value) VALUES ('accounts', '{"requireTwoFactorForAdmins":true}')`,
      )
      await send(withoutTwoFactor, status)
      if (isRefused) await sendWithKeys(true, true)
      await tableWrites.unrecorded("DELETE FROM settings WHERE key = 'accounts'")
    }
    const roles = await staffPrincipals()
    /** Returns the roles that may, or may not, call the endpoint: one of them in the short form, all at full size. */
    const someRoles = (allowed: boolean) => {
      const found = roles.filter((each) => isAllowedTo(each, endpoint, row) === allowed)
      return isFullSize || found.length === 0 ? found : [found[index % found.length]!]
    }
    const principals = world.principals
      .filter(({ name }) => isSelected(name, index))
      .map((who) => ({ who, status: expectedStatus(endpoint, who) }))
    const mainPrincipals = principals.filter(({ who }) =>
      [
        'anonymous',
        'another customer',
        'a paired TV of the owner',
        'an administrator',
        ...(row.owner === row.other ? [] : ['the owner']),
      ].includes(who.name),
    )
    /** A malformed id still addresses this endpoint: a client without access gets 401 or 403. */
    const notFound = (status: number) => [400, 404, 405, ...(status === 401 || status === 403 ? [status] : [])]

    await tableWrites.take()
    for (const { who, status } of principals) if (refused(status)) await send(who, status)
    await sendWithKeys(true)
    await sendWithoutTwoFactor(true)
    for (const who of someRoles(false)) {
      const { text } = await send(who, endpoint.access === 'admin' ? 403 : row.other)
      if (endpoint.access === 'admin' && !text.includes('"no_permission"')) failures.push(`${who.name}: ${text}`)
    }
    for (const { who, status } of mainPrincipals)
      for (const trick of some(invalidPaths))
        await send(who, notFound(status), { path: trick.write(bare!) + query, what: trick.name })
    for (const { who, status } of mainPrincipals) {
      if (![401, 403, 404].includes(status)) continue
      for (const trick of some(equivalentPaths)) await send(who, status, { path: trick.write(path), what: trick.name })
      for (const headers of some(spoofedHeaders))
        await send(who, status, { headers, what: Object.keys(headers).join() })
    }
    /** A page may have the same path. This app has no pages, so GET and HEAD get 404 there instead of 405. */
    const statusOf = (method: string) =>
      endpoint.calledByMailPrograms && (method === 'GET' || method === 'HEAD') ? 404 : 405
    for (const method of some(otherMethods)) {
      if (byId.has(`${method} ${endpoint.path}`) || (method === 'HEAD' && byId.has(`GET ${endpoint.path}`))) continue
      for (const { who } of mainPrincipals) {
        const { headers } = await send(who, statusOf(method), { method, what: 'another method' })
        if (statusOf(method) === 405 && !headers.allow?.split(', ').includes(endpoint.method))
          failures.push(`${method} ${endpoint.path} does not name the allowed method: ${headers.allow}`)
      }
    }
    // Method override headers have no effect.
    const get = byId.get(`GET ${endpoint.path}`)
    for (const { who } of mainPrincipals.filter(({ status }) => endpoint.method !== 'GET' || refused(status)))
      for (const header of some(methodOverrideHeaders))
        await send(who, get ? expectedStatus(get, who) : statusOf('GET'), {
          method: 'GET',
          headers: { [header]: endpoint.method === 'GET' ? 'POST' : endpoint.method },
          what: header,
        })
    expect(await tableWrites.take(), 'tables written by refused requests').toEqual([])

    for (const { who, status } of principals) if (!refused(status)) await send(who, status)
    await sendWithoutTwoFactor(false)
    // The administrator's request may have changed the data, so a later write may be refused, but not because of the role.
    for (const who of someRoles(true)) {
      const { text } = await send(
        { ...who, as: 'admin' },
        endpoint.method === 'GET' ? row.admin : [200, 400, 403, 404, 409, 415, 429, 503],
      )
      if (/"(no_permission|admins_only|two_factor_required)"/.test(text)) failures.push(`${who.name}: ${text}`)
    }
    await sendWithKeys(false)
    for (const name of await tableWrites.take()) written.add(name)
    if (endpoint.method === 'GET')
      for (const { who, status } of mainPrincipals.filter((each) => !refused(each.status))) {
        for (const trick of some(equivalentPaths))
          await send(who, status, { path: trick.write(path), what: trick.name })
        await send(who, status, { method: 'HEAD', what: 'another method' })
      }
    expect(failures.splice(0)).toEqual([])
  },
)

test('the short form selects from clients that exist', async () => {
  const names = [...(await sharedWorld()).principals, ...keys].map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...endedSessions, ...refusedKeys]))
})

test('the tests above sent as many requests as there are endpoints, principals and variants', () => {
  expect(requests).toBeGreaterThan(endpoints.length * (isFullSize ? 30 : 10))
})

test('the writes of permitted requests were recorded', () => {
  expect(written.size).toBeGreaterThan(60)
})
