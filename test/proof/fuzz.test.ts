import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { endpoints } from '#server/app.ts'
import { buildApp, type SignedIn, type TestApp } from '../harness/app.ts'
import { createInvoice, createPlan } from '../harness/factories.ts'
import { hostileTexts, hostileValues, plausible, spoiled } from '../harness/fuzz-values.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { rounds } from '../harness/scale.ts'
import { stored } from '../harness/stored.ts'

/** Bad bodies for each endpoint, more than 8,000 in all; a long run asks for more. */
const runs = rounds('FUZZ_RUNS', { short: 25, full: 140 })
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)

let app: TestApp
let customer: SignedIn
let admin: SignedIn
/** Values of the path parameters: ids of existing records. */
let places: Record<string, string>
beforeAll(async () => {
  app = await buildApp()
  places = await furnish()
})
// What one endpoint does to who asks (a password changed, a session ended) must not spare the next.
beforeEach(async () => {
  customer = await app.signIn(places.username)
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const made = async (answer: Promise<Response>) => expect((await answer).status).toBe(200)

/** A customer with one of everything. */
async function furnish(): Promise<Record<string, string>> {
  const plan = await createPlan(app.db)
  const { user, client } = await app.signIn()
  const invoice = await createInvoice(app.db, { userId: user.id, planId: plan.id })
  await made(client.post('/api/reports', { contentName: 'Channel One', contentType: 'channel', issue: 'buffering' }))
  await made(
    client.post('/api/trial-requests', { device: 'Firestick', message: 'I would like to see it at home first.' }),
  )
  await made(
    client.post('/api/inquiries', {
      name: 'Pat Doe',
      email: 'pat@example.org',
      message: 'Do you carry the news channel in HD?',
    }),
  )
  const newest = async (table: string) =>
    String((await app.database.pool.query(`SELECT max(id) AS id FROM ${table}`)).rows[0].id ?? 1)
  return {
    username: user.username,
    userId: String(user.id),
    planId: String(plan.id),
    invoiceId: String(invoice.id),
    invoiceNumber: invoice.invoiceNumber,
    reportId: await newest('reports'),
    trialRequestId: await newest('trial_requests'),
    inquiryId: await newest('inquiries'),
    document: 'terms',
    section: 'site',
    template: 'welcome',
  }
}

type JsonSchema = Parameters<typeof plausible>[0]
const jsonSchema = (schema: AnyEndpoint['body']) =>
  z.toJSONSchema(schema!, { io: 'input', unrepresentable: 'any' }) as JsonSchema
const named = (list: AnyEndpoint[]) => list.map((endpoint) => [endpoint.id, endpoint] as const)
const clientFor = ({ access }: AnyEndpoint) =>
  ({ public: app.client(), member: customer.client, admin: admin.client })[access]
const pathOf = (endpoint: AnyEndpoint, value?: string) =>
  endpoint.path.replace(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent((value ?? places[name] ?? '1').toWellFormed()),
  )

/** Sends it, and holds the answer against what every answer promises. */
async function send(endpoint: AnyEndpoint, path: string, body?: string): Promise<number> {
  const init =
    body === undefined
      ? { method: endpoint.method }
      : { method: endpoint.method, headers: { 'content-type': 'application/json' }, body }
  const response = await clientFor(endpoint).request(path, init)
  const text = await response.text()
  const said = `${endpoint.method} ${path.slice(0, 200)} ${body?.slice(0, 500) ?? ''} answered ${response.status} ${text.slice(0, 300)}`
  // The one thing that an installation without a panel cannot do.
  if (!text.includes('"panel_not_configured"')) expect(response.status, said).toBeLessThan(500)
  expect(response.headers.get('x-content-type-options'), said).toBe('nosniff')
  if (response.status >= 400) {
    expect(JSON.parse(text), said).toMatchObject({
      message: expect.stringMatching(/./),
      code: expect.stringMatching(/^[a-z_]+$/),
    })
  }
  return response.status
}

/** Sessions come and go with who asks. */
const content = () => stored(app.database.pool, { except: ['sessions'] })

const withBody = endpoints.filter((endpoint) => endpoint.body)

describe(`whatever is sent (FUZZ_SEED=${seed})`, () => {
  test.each(named(withBody))(
    '%s refuses what its contract refuses, and stores nothing of it',
    async (_id, endpoint) => {
      const before = await content()
      const right = plausible(jsonSchema(endpoint.body))
      for (const text of hostileTexts) {
        const status = await send(endpoint, pathOf(endpoint), text)
        if (!accepts(endpoint, text)) expect([400, 401, 403, 404, 409, 413, 422]).toContain(status)
      }
      await fc.assert(
        fc.asyncProperty(spoiled(right), async (body) => {
          const text = JSON.stringify(body)
          fc.pre(!accepts(endpoint, text))
          expect([400, 401, 403, 404, 409, 413, 422]).toContain(await send(endpoint, pathOf(endpoint), text))
        }),
        { seed, numRuns: runs },
      )
      expect(await content()).toEqual(before)
    },
  )

  test.each(named(withBody))('%s never fails on what its contract lets through', async (_id, endpoint) => {
    const right = plausible(jsonSchema(endpoint.body))
    await fc.assert(
      fc.asyncProperty(
        spoiled(right),
        async (body) => void (await send(endpoint, pathOf(endpoint), JSON.stringify(body))),
      ),
      { seed: seed + 1, numRuns: Math.ceil(runs / 3) },
    )
  })

  test.each(['expectedAmount', 'version'])(
    'an invoice is not confirmed with a number for %s that no row can hold, and that is said',
    async (field) => {
      for (const number of [2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1]) {
        const one = {
          invoiceId: Number(places.invoiceId),
          version: 1,
          expectedAmount: 1,
          acknowledged: true,
          [field]: number,
        }
        const answer = await admin.client.post('/api/admin/invoices/confirm', { invoices: [one] })
        expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'invalid' }])
      }
    },
  )

  test.each(named(endpoints.filter((endpoint) => endpoint.params)))(
    '%s never fails on a strange address',
    async (_id, endpoint) => {
      const strange = hostileValues.filter((value) => typeof value === 'string' && value.length < 2_000) as string[]
      for (const value of strange)
        await send(endpoint, pathOf(endpoint, value), endpoint.method === 'GET' ? undefined : '{}')
    },
  )

  test.each(named(endpoints.filter((endpoint) => endpoint.query)))(
    '%s never fails on a strange question',
    async (_id, endpoint) => {
      const names = Object.keys(jsonSchema(endpoint.query).properties ?? {})
      const value = fc.oneof(
        fc.constantFrom(...hostileValues.filter((each) => typeof each !== 'object')).map(String),
        fc.string(),
      )
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.constantFrom(...names, 'unknown', '__proto__'), value), { maxLength: 4 }),
          async (pairs) => {
            await send(
              endpoint,
              `${pathOf(endpoint)}?${new URLSearchParams(pairs.map(([name, text]): [string, string] => [name, text.slice(0, 2_000)]))}`,
            )
          },
        ),
        { seed, numRuns: runs },
      )
    },
  )

  test('no column of any table comes in with a body that does not name it', async () => {
    const { rows } = await app.database.pool.query<{ name: string }>(
      "SELECT DISTINCT column_name AS name FROM information_schema.columns WHERE table_schema = 'public'",
    )
    const columns = [
      ...new Set(
        rows.flatMap(({ name }) => [name, name.replace(/_(\w)/g, (_whole, char: string) => char.toUpperCase())]),
      ),
    ]
    expect(columns.length).toBeGreaterThan(200)
    let tried = 0
    for (const endpoint of withBody) {
      const right = plausible(jsonSchema(endpoint.body))
      const parsed = z.safeParse(endpoint.body!, right)
      if (!parsed.success || typeof right !== 'object' || right === null) continue
      tried += 1
      for (const value of [1, 'admin', true]) {
        const more = { ...Object.fromEntries(columns.map((name) => [name, value])), ...right }
        const heard = z.safeParse(endpoint.body!, more)
        if (heard.success)
          expect(fieldsOf(jsonSchema(endpoint.body)), endpoint.id).toEqual(
            expect.arrayContaining(Object.keys(heard.data as object)),
          )
      }
    }
    expect(tried).toBeGreaterThan(withBody.length / 2)
  })

  test('all invariants hold afterwards', () => expectInvariants(app.db))
})

function accepts(endpoint: AnyEndpoint, text: string): boolean {
  try {
    return z.safeParse(endpoint.body!, JSON.parse(text)).success
  } catch {
    return false
  }
}

/** The names a schema speaks of, in whichever of its variants. */
const fieldsOf = ({ properties = {}, anyOf = [], oneOf = [], allOf = [] }: JsonSchema): string[] => [
  ...Object.keys(properties),
  ...[...anyOf, ...oneOf, ...allOf].flatMap(fieldsOf),
]
