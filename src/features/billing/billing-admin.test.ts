import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUsers } from '#features/accounts/admin-contract.ts'
import type { Input } from '#kit/endpoint.ts'
import { auditLog, invoices } from '#server/db/tables.ts'
import { buildApp, type Client, type TestApp } from '../../../test/harness/app.ts'
import {
  createPlan,
  createUser,
  createInvoice as givenInvoice,
  type NewInvoice,
} from '../../../test/harness/factories.ts'
import { listAllInvoices, updateInvoice } from './admin-contract.ts'

const path = '/api/admin/invoices'
const json = { 'content-type': 'application/json' }
const day = 86_400_000

let app: TestApp
let admin: Client
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = (await app.signInAdmin({ username: 'zz_chief', email: 'chief@example.org' })).client
  planId = (await createPlan(app.db)).id
  // Amounts increase and creation dates decrease from A to E, so that the order of each sort is known.
  for (const [i, suffix] of [...'ABCDE'].entries()) {
    const customer = await createUser(app.db, {
      username: `cust_${suffix.toLowerCase()}`,
      email: `${suffix.toLowerCase()}%x@mail${i}.example`,
    })
    await listed({
      userId: customer.id,
      invoiceNumber: `ORD-LIST${suffix}${suffix}`,
      amount: 1_000 + 100 * i,
      createdAt: new Date(Date.now() - i * day).toISOString(),
    })
  }
})
afterAll(() => app.close())

const listed = (values: NewInvoice) =>
  givenInvoice(app.db, {
    planId,
    status: 'pending',
    submittedAt: new Date().toISOString(),
    paymentMethod: 'cashapp',
    ...values,
  })
/** Returns the last letters (A to E) of the listed invoice numbers. Searches by customer name, because other tests create more invoices. */
const letters = async (query: object) =>
  (await admin.call(listAllInvoices, { query: { search: 'cust_', ...query } })).rows
    .map(({ invoiceNumber }) => invoiceNumber.slice(-1))
    .join('')
const rowOf = async (id: number) => (await app.db.select().from(invoices).where(eq(invoices.id, id)))[0]!
const auditOf = (id: number) =>
  app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.targetId, String(id)))

describe('an endpoint for administrators', () => {
  const calls = [
    ['GET', listUsers.path, undefined],
    ['GET', listAllInvoices.path, undefined],
    ['PUT', updateInvoice.path.replace(':invoiceId', '1'), '{"status":"cancelled"}'],
  ] as const

  test.each(calls)('returns 401 without a session: %s %s', async (method, url, body) => {
    expect((await app.client().request(url, { method, headers: json, body })).status).toBe(401)
  })
  test.each(calls)('returns 403 to a customer, even to the owner of the invoice: %s %s', async (method, url, body) => {
    const { client } = await app.signIn('cust_a')
    const response = await client.request(url, { method, headers: json, body })
    expect([response.status, await response.json()]).toEqual([
      403,
      { message: 'Only administrators can do this', code: 'admins_only' },
    ])
  })
  test.each(calls)('returns 200 to an administrator: %s %s', async (method, url) => {
    const { id } = await listed({ userId: (await app.signIn()).user.id })
    const body = method === 'PUT' ? '{"status":"cancelled"}' : undefined
    expect((await admin.request(url.replace(/1$/, String(id)), { method, headers: json, body })).status).toBe(200)
  })
  test('changes nothing when it refuses a request', async () => {
    const { client, user } = await app.signIn()
    const before = await listed({ userId: user.id })
    await client.request(`${path}/${before.id}`, { method: 'PUT', headers: json, body: '{"status":"paid"}' })
    expect(await rowOf(before.id)).toEqual(before)
    expect(await auditOf(before.id)).toEqual([])
  })
})

describe('the list of all invoices', () => {
  test.each([
    'page=0',
    'page=1.5',
    'pageSize=0',
    'pageSize=501',
    'sort=user_id',
    'sort=amount;drop',
    'order=up',
    'status=lost',
    `search=${'x'.repeat(255)}`,
  ])('rejects the query %s with 400', async (query) => {
    expect((await admin.request(`${path}?${query}`)).status).toBe(400)
  })

  test.each([
    [{}, 'ABCDE'],
    [{ sort: 'createdAt', order: 'asc' }, 'EDCBA'],
    [{ sort: 'amount', order: 'asc' }, 'ABCDE'],
    [{ sort: 'amount', order: 'desc' }, 'EDCBA'],
    [{ sort: 'invoiceNumber', order: 'desc' }, 'EDCBA'],
    [{ page: 1, pageSize: 2 }, 'AB'],
    [{ page: 3, pageSize: 2 }, 'E'],
    [{ page: 4, pageSize: 2 }, ''],
    [{ status: 'paid' }, ''],
    [{ status: 'pending', sort: 'status', order: 'desc' }, 'ABCDE'],
  ])('is sorted, filtered and paged by the query %j', async (query, expected) => {
    expect(await letters(query)).toBe(expected)
  })

  test.each([
    ['ord-listcc', 'C'],
    ['CUST_D', 'D'],
    ['mail1.exam', 'B'],
    ['a%x@', 'A'],
    ['a_x@', ''],
    ['cust%', ''],
    ['ustxa', ''],
    ['\\', ''],
    ["' or ''='", ''],
  ])(
    'is searched literally and case-insensitively by number, username and email address: %j',
    async (search, expected) => {
      expect(await letters({ search })).toBe(expected)
    },
  )

  test('is searched by confirmation code, payment note, full name and line username', async () => {
    const { id: userId } = await createUser(app.db, { username: 'payer', fullName: 'Ottilie Vandermeer' })
    await app.database.pool.query(
      "insert into lines (user_id, username, password) values ($1, 'paidline7', 'v1:none')",
      [userId],
    )
    await listed({
      userId,
      invoiceNumber: 'ORD-CODE01',
      confirmationCode: '#D-PQ9XK2:77',
      paymentNote: 'SAUCE: amber otter',
    })
    // The invoice number contains `77`, the end of the code above. A search for that code must not find this invoice.
    await listed({ userId, invoiceNumber: 'ORD-CODE77', confirmationCode: 'third', paymentNote: 'SAUCE: bright fox' })
    await listed({ userId, invoiceNumber: 'ORD-CODE02', confirmationCode: 'other', paymentNote: 'SAUCE: ORD-CODE02' })
    const numbers = async (search: string) =>
      (await admin.call(listAllInvoices, { query: { search, sort: 'invoiceNumber', order: 'asc' } })).rows.map(
        (row) => row.invoiceNumber,
      )
    for (const search of ['pq9x', '#d-pq9xk2:77', 'amber', 'SAUCE: amber otter', 'otter'])
      expect(await numbers(search), search).toEqual(['ORD-CODE01'])
    for (const search of ['SAUCE: ORD-CODE02', 'ord-code02'])
      expect(await numbers(search), search).toEqual(['ORD-CODE02'])
    for (const search of ['vandermeer', 'PAIDLINE7'])
      expect(await numbers(search), search).toEqual(['ORD-CODE01', 'ORD-CODE02', 'ORD-CODE77'])
    // The note prefix is not searched, because all notes have it.
    expect(await numbers('sauce')).toEqual([])
    await app.db.delete(invoices).where(eq(invoices.userId, userId))
  })

  test('is a plain array; headers contain the total and links to other pages with the same search', async () => {
    const response = await admin.request(`${path}?search=cust_&pageSize=2&page=2`)
    expect(await response.json()).toHaveLength(2)
    expect(response.headers.get('x-total-count')).toBe('5')
    const link = response.headers.get('link')
    for (const [rel, page] of [
      ['first', 1],
      ['prev', 1],
      ['next', 3],
      ['last', 3],
    ])
      expect(link).toMatch(new RegExp(`<[^>]*search=cust_[^>]*page=${page}[^>]*>; rel="${rel}"`))
  })

  test('is empty on a page beyond the last one, and the header contains the total', async () => {
    const response = await admin.request(`${path}?search=cust_&pageSize=2&page=999`)
    expect([response.status, await response.json(), response.headers.get('x-total-count')]).toEqual([200, [], '5'])
  })

  test('shows and filters an invoice past its expiry date as expired before any job has run', async () => {
    const { client: _, user } = await app.signIn()
    await listed({
      userId: user.id,
      invoiceNumber: 'ORD-LATE01',
      createdAt: new Date(Date.now() - 9 * day).toISOString(),
      expiresAt: new Date(Date.now() - day).toISOString(),
    })
    const find = (status: string) =>
      admin.call(listAllInvoices, { query: { search: 'ORD-LATE01', status } as Input<typeof listAllInvoices>['query'] })
    expect((await find('expired')).rows).toMatchObject([{ status: 'expired' }])
    expect((await find('pending')).rows).toEqual([])
  })
})

describe('a decision about an invoice', () => {
  const decide = (invoiceId: number, body: Input<typeof updateInvoice>['body']) =>
    admin.call(updateInvoice, { params: { invoiceId }, body })
  const pending = async (values: Partial<NewInvoice> = {}) =>
    listed({ userId: (await app.signIn()).user.id, amount: 1_500, ...values })

  test('with a stale version is refused with 409 and the current status, and changes nothing', async () => {
    const invoice = await pending()
    await decide(invoice.id, { status: 'cancelled', version: invoice.version })
    const now = await rowOf(invoice.id)
    await expect(
      decide(invoice.id, { status: 'paid', version: invoice.version, expectedAmount: 1_500 }),
    ).rejects.toMatchObject({
      status: 409,
      code: 'stale',
      serverMessage: expect.stringContaining('cancelled'),
    })
    expect(await rowOf(invoice.id)).toEqual(now)
  })

  test('with an expected amount that differs from the invoice is refused with 409', async () => {
    const invoice = await pending()
    await expect(decide(invoice.id, { status: 'paid', expectedAmount: 1_499 })).rejects.toMatchObject({
      status: 409,
      code: 'amount_changed',
    })
    expect(await rowOf(invoice.id)).toEqual(invoice)
  })

  test('that confirms a payment with the code of another invoice requires an acknowledgement', async () => {
    const code = { paymentMethod: 'cashapp', confirmationCode: '#AbC-12 34' } as const
    const first = await pending(code)
    const second = await pending({ ...code, confirmationCode: 'abc1234' })
    const otherMethod = await pending({ ...code, paymentMethod: 'venmo' })
    const flags = await Promise.all(
      [first, second, otherMethod].map(({ invoiceNumber }) =>
        admin.call(listAllInvoices, { query: { search: invoiceNumber } }),
      ),
    )
    expect(flags.map(({ rows }) => rows[0]!.duplicateCode)).toEqual([true, true, true])

    await expect(decide(second.id, { status: 'paid' })).rejects.toMatchObject({ status: 409, code: 'duplicate_code' })
    expect(await rowOf(second.id)).toEqual(second)
    expect(await decide(second.id, { status: 'paid', acknowledgeDuplicate: true })).toMatchObject({
      status: 'paid',
      duplicateCode: true,
    })
    await expect(decide(otherMethod.id, { status: 'paid' })).rejects.toMatchObject({
      status: 409,
      code: 'duplicate_code',
    })
  })

  test('returns the same row as the list of invoices', async () => {
    const invoice = await pending()
    const updated = await decide(invoice.id, { status: 'cancelled' })
    const { rows } = await admin.call(listAllInvoices, { query: { search: invoice.invoiceNumber } })
    expect(rows).toEqual([updated])
  })

  test.each([
    [{}],
    [{ status: 'draft' }],
    [{ status: 'expired' }],
    [{ status: 'paid', paidAt: 'yesterday' }],
    [{ status: 'paid', expectedAmount: 14.99 }],
    [{ status: 'paid', version: '1' }],
  ])('with an invalid body is refused with 400: %j', async (body) => {
    const invoice = await pending()
    await expect(decide(invoice.id, body as never)).rejects.toMatchObject({ status: 400 })
    expect(await rowOf(invoice.id)).toEqual(invoice)
  })
})
