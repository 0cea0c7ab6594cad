import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { AnyEndpoint } from '#kit/endpoint.ts'
import { endpoints } from '#server/app.ts'
import { buildApp, type SignedIn, type TestApp } from '../harness/app.ts'
import { createInvoice, createPlan } from '../harness/factories.ts'
import { hostileTexts, hostileValues, mutated, validExample } from '../harness/fuzz-values.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { roundCount, variantsOfCase } from '../harness/scale.ts'
import { recordTableWrites, type TableWrites } from '../harness/table-writes.ts'

/** Invalid bodies per endpoint, more than 8,000 in total at full size; FUZZ_RUNS sets the number. */
const runs = roundCount('FUZZ_RUNS', { short: 2, full: 140 })
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31)

let app: TestApp
let tableWrites: TableWrites
let customer: SignedIn
let admin: SignedIn
/** Values of the path parameters: ids of existing records. */
let pathParams: Record<string, string>
beforeAll(async () => {
  app = await buildApp()
  pathParams = await createRecords()
  // Requests create and end sessions.
  tableWrites = await recordTableWrites(app.database.pool, { except: ['sessions'] })
})
// A request may change a password or end the session, so each test starts with new sessions.
beforeEach(async () => {
  customer = await app.signIn(pathParams.username)
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const expectOk = async (response: Promise<Response>) => expect((await response).status).toBe(200)

/** Creates a customer with one record of each kind, and returns the values of the path parameters. */
async function createRecords(): Promise<Record<string, string>> {
  const plan = await createPlan(app.db)
  const { user, client } = await app.signIn()
  const invoice = await createInvoice(app.db, { userId: user.id, planId: plan.id })
  await expectOk(
    client.post('/api/reports', { contentName: 'Channel One', contentType: 'channel', issue: 'buffering' }),
  )
  await expectOk(
    client.post('/api/trial-requests', { device: 'Firestick', message: 'I would like to see it at home first.' }),
  )
  await expectOk(
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
    ticketId: await newest('tickets WHERE report_id IS NOT NULL'),
    document: 'terms',
    section: 'site',
    template: 'welcome',
  }
}

type JsonSchema = Parameters<typeof validExample>[0]
const jsonSchema = (schema: AnyEndpoint['body']) =>
  z.toJSONSchema(schema!, { io: 'input', unrepresentable: 'any' }) as JsonSchema
const named = (list: AnyEndpoint[]) => list.map((endpoint, index) => [endpoint.id, endpoint, index] as const)
const clientFor = ({ access }: AnyEndpoint) =>
  ({ public: app.client(), member: customer.client, watcher: customer.client, admin: admin.client })[access]
const pathOf = (endpoint: AnyEndpoint, value?: string) =>
  endpoint.path.replace(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent((value ?? pathParams[name] ?? '1').toWellFormed()),
  )

/** Sends a request, checks the rules that hold for every response, and returns the status. */
async function send(endpoint: AnyEndpoint, path: string, body?: string): Promise<number> {
  const init =
    body === undefined
      ? { method: endpoint.method }
      : { method: endpoint.method, headers: { 'content-type': 'application/json' }, body }
  const response = await clientFor(endpoint).request(path, init)
  const text = await response.text()
  const details = `${endpoint.method} ${path.slice(0, 200)} ${body?.slice(0, 500) ?? ''} got ${response.status} ${text.slice(0, 300)}`
  // The only 5xx response that an installation without a panel may send.
  if (!text.includes('"panel_not_configured"')) expect(response.status, details).toBeLessThan(500)
  expect(response.headers.get('x-content-type-options'), details).toBe('nosniff')
  if (response.status >= 400) {
    expect(JSON.parse(text), details).toMatchObject({
      message: expect.stringMatching(/./),
      code: expect.stringMatching(/^[a-z_]+$/),
    })
  }
  return response.status
}

const withBody = endpoints.filter((endpoint) => endpoint.body && !endpoint.upload)

describe(`random input (FUZZ_SEED=${seed})`, () => {
  test.each(named(withBody))(
    '%s refuses every body that violates its contract, and stores nothing',
    async (_id, endpoint, index) => {
      await tableWrites.take()
      const right = validExample(jsonSchema(endpoint.body))
      for (const text of variantsOfCase(hostileTexts, 4, index)) {
        if (!accepts(endpoint, text))
          expect([400, 401, 403, 404, 409, 413, 422]).toContain(await send(endpoint, pathOf(endpoint), text))
      }
      await fc.assert(
        fc.asyncProperty(mutated(right), async (body) => {
          const text = JSON.stringify(body)
          fc.pre(!accepts(endpoint, text))
          expect([400, 401, 403, 404, 409, 413, 422]).toContain(await send(endpoint, pathOf(endpoint), text))
        }),
        { seed, numRuns: runs },
      )
      expect(await tableWrites.take()).toEqual([])
    },
  )

  test.each(named(withBody))('%s never fails on a body that its contract accepts', async (_id, endpoint) => {
    const right = validExample(jsonSchema(endpoint.body))
    await fc.assert(
      fc.asyncProperty(
        mutated(right),
        async (body) => void (await send(endpoint, pathOf(endpoint), JSON.stringify(body))),
      ),
      { seed: seed + 1, numRuns: Math.ceil(runs / 3) },
    )
  })

  test.each(['expectedAmount', 'version'])(
    'confirming an invoice with a value of %s outside of the integer range gets 400',
    async (field) => {
      for (const number of [2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1]) {
        const one = {
          invoiceId: Number(pathParams.invoiceId),
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
    '%s never fails on hostile path parameters',
    async (_id, endpoint, index) => {
      const strange = hostileValues.filter((value) => typeof value === 'string' && value.length < 2_000) as string[]
      for (const value of variantsOfCase(strange, 4, index))
        await send(endpoint, pathOf(endpoint, value), endpoint.method === 'GET' ? undefined : '{}')
    },
  )

  test.each(named(endpoints.filter((endpoint) => endpoint.query)))(
    '%s never fails on a hostile query string',
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

  test('a body sets only fields that its contract names, whatever columns the tables have', async () => {
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
      const right = validExample(jsonSchema(endpoint.body))
      const parsed = z.safeParse(endpoint.body!, right)
      if (!parsed.success || typeof right !== 'object' || right === null) continue
      tried += 1
      for (const value of [1, 'admin', true]) {
        const more = { ...Object.fromEntries(columns.map((name) => [name, value])), ...right }
        const accepted = z.safeParse(endpoint.body!, more)
        if (accepted.success)
          expect(fieldsOf(jsonSchema(endpoint.body)), endpoint.id).toEqual(
            expect.arrayContaining(Object.keys(accepted.data as object)),
          )
      }
    }
    expect(tried).toBeGreaterThan(withBody.length / 2)
  })

  test('all invariants hold after the tests above', () => expectInvariants(app.db))
})

function accepts(endpoint: AnyEndpoint, text: string): boolean {
  try {
    // The app decodes a body as UTF-8, which drops a byte order mark.
    return z.safeParse(endpoint.body!, JSON.parse(text.replace(/^\ufeff/, ''))).success
  } catch {
    return false
  }
}

/** The property names of a schema, including those of its variants. */
const fieldsOf = ({ properties = {}, anyOf = [], oneOf = [], allOf = [] }: JsonSchema): string[] => [
  ...Object.keys(properties),
  ...[...anyOf, ...oneOf, ...allOf].flatMap(fieldsOf),
]
