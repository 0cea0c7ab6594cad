import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listInvoices } from '#features/billing/contract.ts'
import { getCustomer } from '#features/customers/admin-contract.ts'
import { creditTransactions, earlierInvoices, importRows, invoices, users } from '#server/db/tables.ts'
import { buildApp, cheapHashing, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createUser } from '../../../test/harness/factories.ts'
import {
  type InvoiceCells,
  importHeadings,
  importing,
  importMapping,
  importRow,
  invoiceHeadings,
  invoiceMapping,
  invoiceRow,
} from '../../../test/harness/import-files.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { createCustomer, undoCreateCustomer } from '../accounts/admin-contract.ts'
import { emailImport, removeImport } from './admin-contract.ts'
import { listCustomerEarlierInvoices } from './admin-customer-contract.ts'
import { listEarlierInvoices } from './contract.ts'

let app: TestApp
let admin: SignedIn
let files: ReturnType<typeof importing>
beforeAll(async () => {
  app = await buildApp({ passwords: cheapHashing })
  admin = await app.signInAdmin({ username: 'owner' })
  files = importing(app, admin)
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})
const invoiceFile = { kind: 'invoices' } as const
const withIds = { ...importMapping, otherId: 'Client' }
/** Imports customers with their ids in the other system. */
async function moveHere(...customers: { user: string; client: string }[]): Promise<number> {
  const rows = customers.map(({ user, client }) => `${importRow({ user, email: `${user}@example.org` })},${client}`)
  const answer = await files.upload([`${importHeadings},Client`, ...rows].join('\n'), withIds)
  const { id } = answer.state === 'checked' ? answer.run : expect.unreachable()
  await files.apply(id)
  return id
}
const storedOf = (userId: number) => app.db.select().from(earlierInvoices).where(eq(earlierInvoices.userId, userId))

describe('files that are refused', () => {
  test.each([
    ['headings only', invoiceHeadings, 400, 'no_rows'],
    ['a picture', 'PNG\u0000\u0001', 400, 'binary'],
    ['too many rows', `a,b\n${'1,2\n'.repeat(150_001)}`, 400, 'too_many_rows'],
  ])('%s', async (_, text, status, code) => {
    await expect(files.upload(text, invoiceMapping, invoiceFile)).rejects.toMatchObject({ status, code })
  })

  test('an invoice mapping without a customer, without a number or with an unknown column, and a customer mapping', async () => {
    const text = `${invoiceHeadings}\n${invoiceRow()}`
    const { email: _, otherId: __, ...anonymous } = invoiceMapping
    const { number: ___, ...unnumbered } = invoiceMapping
    for (const map of [anonymous, unnumbered, { ...invoiceMapping, amount: 'Sum' }, { email: 'Email' }])
      await expect(files.upload(text, map, invoiceFile)).rejects.toMatchObject({ status: 400, code: 'invalid_mapping' })
    await expect(files.upload(text, invoiceMapping, { kind: 'statements' as 'invoices' })).rejects.toMatchObject({
      status: 400,
    })
  })
})

describe('the verdict of each row', () => {
  test('has the row number and the reason; no invoice is stored', async () => {
    await createUser(app.db, { username: 'old-hand', email: 'Old-Hand@example.org' })
    const email = 'old-hand@example.org'
    const cases: [InvoiceCells, string | null][] = [
      [{}, 'customer_missing'],
      [{ email: 'stranger@example.org' }, 'customer_unknown'],
      [{ email: 'no address' }, 'customer_unknown'],
      [{ client: '404404' }, 'customer_unknown'],
      [{ client: '9'.repeat(65) }, 'customer_unknown'],
      [{ email, number: '' }, 'number_missing'],
      [{ email, number: 'N'.repeat(65) }, 'number_too_long'],
      [{ email: email.toUpperCase(), number: 'A-1' }, null],
      [{ email, number: 'A-1' }, 'number_repeated'],
      [{ email, number: 'A-2', date: '' }, 'date'],
      [{ email, number: 'A-2', date: '0000-00-00' }, 'date'],
      [{ email, date: '2024-02-30' }, 'date'],
      [{ email, date: '1999-12-31' }, 'date_range'],
      [{ email, date: '2150-01-01' }, 'date_range'],
      [{ email, total: '' }, 'amount'],
      [{ email, total: 'twelve' }, 'amount'],
      [{ email, total: '-1.00' }, 'amount_negative'],
      [{ email, total: '100000.01' }, 'amount_too_high'],
      [{ email, total: '99999999999999999999' }, 'amount'],
      [{ email, total: '€15.00' }, 'currency'],
      [{ email, total: '15.00 CAD' }, 'currency'],
      [{ email, currency: 'EUR' }, 'currency'],
      [{ email, status: '' }, 'status'],
      [{ email, status: 'Lost' }, 'status'],
      [{ email, status: 'Draft' }, 'status_draft'],
      [{ email, text: 'x'.repeat(501) }, 'description'],
      [{ email, text: 'Line\u202e' }, 'invoice_text'],
      [{ email, number: 'A-2', total: '$1,234.50 USD', currency: 'usd', status: 'Payment Pending' }, null],
    ]
    const run = await files.checkInvoices(...cases.map(([cells]) => invoiceRow(cells)))
    const verdict = (reason: string | null) => (reason === null ? 'create' : 'refused')
    expect(await files.verdictsOf(run.id)).toEqual(cases.map(([, reason], at) => [at + 2, verdict(reason), reason]))
    expect(run).toMatchObject({ kind: 'invoices', counts: { create: 2, refused: 26 }, totals: { invoiced: 124_950 } })
    expect((await files.rowsOf(run.id)).filter((row) => row.verdict === 'create')).toMatchObject([
      { username: 'old-hand', invoice: { number: 'A-1', issuedOn: '2024-03-31', amount: 1_500, status: 'paid' } },
      { username: 'old-hand', invoice: { number: 'A-2', amount: 123_450, status: 'unpaid' } },
    ])
    expect(await app.db.$count(earlierInvoices)).toBe(0)
    expect(await admin.client.call(removeImport, files.params(run.id))).toEqual({ removed: true })
  })

  test('an id finds the customer who was imported with it, even after a change of the email address; an id of two customers is refused', async () => {
    await createUser(app.db, { username: 'was-here', email: 'was-here@example.org' })
    await moveHere({ user: 'moved-a', client: '71' }, { user: 'moved-b', client: '72' })
    await moveHere({ user: 'moved-c', client: '72' }, { user: 'was-here', client: '73' })
    await app.db.update(users).set({ email: 'new@example.org' }).where(eq(users.username, 'moved-a'))
    const run = await files.checkInvoices(
      invoiceRow({ client: '71' }),
      invoiceRow({ client: '71', email: 'moved-a@example.org' }),
      invoiceRow({ client: '72' }),
      invoiceRow({ client: '73' }),
      invoiceRow({ client: '72', email: 'moved-c@example.org' }),
    )
    expect(await files.rowsOf(run.id)).toMatchObject([
      { verdict: 'create', username: 'moved-a', email: 'new@example.org' },
      { verdict: 'create', username: 'moved-a' },
      { verdict: 'refused', reason: 'customer_ambiguous', otherId: '72' },
      { verdict: 'create', username: 'was-here' },
      { verdict: 'create', username: 'moved-c' },
    ])
  })
})

describe('columns', () => {
  test('of the WHMCS invoice table are suggested, the id replaces an empty number, and the mapping is remembered separately from those of customer files', async () => {
    await moveHere({ user: 'whmcs-client', client: '15' })
    const text = `"id","userid","invoicenum","date","duedate","datepaid","subtotal","credit","tax","total","status","paymentmethod","notes"
9001,15,,2023-05-01,2023-05-08,"2023-05-02 10:00:00",12.00,0.00,0.00,12.00,Paid,paypal,
9002,15,INV-77,2023-06-01,2023-06-08,"0000-00-00 00:00:00",12.00,0.00,0.00,13.50,Collections,paypal,
9003,15,,2023-07-01,2023-07-08,,12.00,0.00,0.00,12.00,Draft,paypal,`
    const answer = await files.upload(text, null, invoiceFile)
    const { suggested } = answer.state === 'columns' ? answer : expect.unreachable()
    expect(suggested).toEqual({
      ...{
        otherId: 'userid',
        number: 'invoicenum',
        invoiceId: 'id',
        issuedOn: 'date',
        amount: 'total',
        status: 'status',
      },
      ...{ dateFormat: 'yyyy/MM/dd', decimal: '.' },
    })
    await files.upload(text, suggested, invoiceFile)
    const again = await files.upload(text, null, invoiceFile)
    const { id } = again.state === 'checked' ? again.run : expect.unreachable()
    expect(await files.rowsOf(id)).toMatchObject([
      { verdict: 'create', invoice: { number: '9001', status: 'paid', amount: 1_200 } },
      { verdict: 'create', invoice: { number: 'INV-77', status: 'unpaid', amount: 1_350 } },
      { verdict: 'refused', reason: 'status_draft' },
    ])
    expect((await files.upload(text, null)).state).toBe('columns')
  })

  test('of the WHMCS invoices report, and of a list with day before month and a decimal comma, are suggested', async () => {
    const report =
      'ID,User ID,Client Name,Invoice Number,Creation Date,Due Date,Date Paid,Total,Status\n1,2,A,,2024-01-01,,,1,Paid'
    expect(await files.upload(report, null, invoiceFile)).toMatchObject({
      suggested: {
        otherId: 'User ID',
        number: 'Invoice Number',
        invoiceId: 'ID',
        issuedOn: 'Creation Date',
        amount: 'Total',
      },
    })
    const list =
      'ID;Client Email;Invoice Date;Amount;Currency;Status;Description\n7;a@b.example;24.12.2023;"12,50";USD;Paid;Gold'
    expect(await files.upload(list, null, invoiceFile)).toMatchObject({
      suggested: {
        number: 'ID',
        email: 'Client Email',
        description: 'Description',
        dateFormat: 'dd/MM/yyyy',
        decimal: ',',
      },
    })
  })
})

describe('importing', () => {
  test('shows the invoices to their customer and to administrators, newest first in pages, and counts them in no figure', async () => {
    const customer = await app.signIn()
    const { id, email } = customer.user
    const [before, other] = [await admin.client.call(getCustomer, { params: { userId: id } }), await app.signIn()]
    const rows = Array.from({ length: 23 }, (_, n) =>
      invoiceRow({
        email,
        date: `2024-01-${String(n + 1).padStart(2, '0')}`,
        number: `M-${n}`,
        text: 'Gold,\n 1 month',
      }),
    )
    const run = await files.checkInvoices(
      ...rows,
      invoiceRow({ email, date: '2024-01-23', number: 'M-last', status: 'Refunded' }),
    )
    const applied = await files.apply(run.id)
    expect([applied.state, applied.counts.created, applied.totals]).toEqual([
      'applied',
      24,
      { credit: 0, subscriptions: 0, lines: 0, invoiced: 36_000 },
    ])
    const first = await customer.client.call(listEarlierInvoices, { query: {} })
    expect(first.rows.length).toBe(20)
    expect(first.rows.slice(0, 2)).toMatchObject([
      { number: 'M-last', issuedOn: '2024-01-23', amount: 1_500, status: 'refunded', description: null },
      { number: 'M-22', issuedOn: '2024-01-23', amount: 1_500, status: 'paid', description: 'Gold, 1 month' },
    ])
    const second = await customer.client.call(listEarlierInvoices, { query: { after: first.next! } })
    expect([second.rows.map(({ number }) => number), second.next]).toEqual([['M-3', 'M-2', 'M-1', 'M-0'], null])
    expect((await other.client.call(listEarlierInvoices, { query: { after: first.next! } })).rows).toEqual([])
    await expect(customer.client.call(listEarlierInvoices, { query: { after: '1; drop' } })).rejects.toMatchObject({
      status: 400,
    })
    const shown = await admin.client.call(listCustomerEarlierInvoices, { params: { userId: id }, query: {} })
    expect(shown).toEqual(first)

    expect(await customer.client.call(listInvoices, {})).toEqual([])
    expect(await app.db.$count(invoices, eq(invoices.userId, id))).toBe(0)
    expect(await app.db.$count(creditTransactions, eq(creditTransactions.userId, id))).toBe(0)
    expect(await admin.client.call(getCustomer, { params: { userId: id } })).toEqual({
      ...before,
      sessions: before.sessions,
    })
    await expect(files.apply(run.id)).rejects.toMatchObject({ status: 409, code: 'not_open' })
    await expect(admin.client.call(emailImport, files.params(run.id))).rejects.toMatchObject({ code: 'not_customers' })
  })

  test('the rows of a repeated file already exist, and a row whose account was deleted after the check is refused', async () => {
    const kept = await createUser(app.db, {})
    const gone = await createUser(app.db, {})
    const rows = [
      invoiceRow({ email: kept.email, number: 'T-1' }),
      invoiceRow({ email: gone.email, number: 'T-2' }),
      invoiceRow({ email: kept.email, number: 'T-3' }),
    ]
    const [run, same] = [await files.checkInvoices(...rows), await files.checkInvoices(...rows)]
    await app.db.delete(users).where(eq(users.id, gone.id))
    expect((await files.apply(run.id)).counts).toMatchObject({ created: 2, refused: 1 })
    expect((await files.apply(same.id)).counts).toMatchObject({ created: 0, exists: 2, refused: 1 })
    const again = await files.checkInvoices(...rows)
    expect(await files.verdictsOf(again.id)).toEqual([
      [2, 'exists', 'invoice_exists'],
      [3, 'refused', 'customer_unknown'],
      [4, 'exists', 'invoice_exists'],
    ])
    await app.db.delete(users).where(eq(users.id, kept.id))
    expect(await storedOf(kept.id)).toEqual([])
  })

  test('continues after an interruption, applies one run at a time, and can be undone as a whole', async () => {
    const customer = await createUser(app.db, {})
    const rows = Array.from({ length: 5_001 }, (_, n) => invoiceRow({ email: customer.email, number: `L-${n}` }))
    const run = await files.checkInvoices(...rows)
    const first = await files.apply(run.id)
    expect([first.state, first.counts.created, first.counts.create]).toEqual(['applying', 5_000, 1])
    const customers = await files.check(importRow())
    await expect(files.apply(customers.id)).rejects.toMatchObject({ status: 409, code: 'other_run' })
    const both = await Promise.allSettled([files.apply(run.id), files.apply(run.id)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await storedOf(customer.id)).length).toBe(5_001)
    expect((await files.undo(run.id)).state).toBe('undoing')
    expect(await files.undo(run.id)).toMatchObject({ state: 'undone', counts: { undone: 5_001, created: 0 } })
    expect(await storedOf(customer.id)).toEqual([])
    await expect(files.undo(run.id)).rejects.toMatchObject({ status: 409, code: 'not_applied' })
  })
})

describe('undoing', () => {
  test('removes the invoices of its own run only, even after a login', async () => {
    const customer = await app.signIn()
    const { id, email } = customer.user
    const [one, two] = [
      await files.checkInvoices(invoiceRow({ email, number: 'U-1' })),
      await files.checkInvoices(invoiceRow({ email, number: 'U-2' })),
    ]
    await expect(files.undo(one.id)).rejects.toMatchObject({ status: 409, code: 'not_applied' })
    await files.apply(one.id)
    await files.apply(two.id)
    await files.undo(one.id)
    expect((await storedOf(id)).map(({ number }) => number)).toEqual(['U-2'])
  })

  test('an import of customers also removes their earlier invoices, even if an account stays without its name', async () => {
    const answer = await files.check(importRow({ user: 'leaves', credit: '3.00' }), importRow({ user: 'leaves-too' }))
    await files.apply(answer.id)
    const ids = [(await files.userOf('leaves'))!, (await files.userOf('leaves-too'))!].map(({ id }) => id)
    const [rows] = [await files.rowsOf(answer.id)]
    const run = await files.checkInvoices(...rows.map(({ email }) => invoiceRow({ email })))
    await files.apply(run.id)
    expect((await files.undo(answer.id)).counts.undone).toBe(2)
    for (const id of ids) expect(await storedOf(id)).toEqual([])
    expect(await files.undo(run.id)).toMatchObject({ state: 'undone', counts: { undone: 2 } })
  })

  test('an account that an administrator created is in use once it has earlier invoices', async () => {
    const body = { username: 'by-hand', email: 'by-hand@example.org' }
    const { id } = await admin.client.call(createCustomer, { body })
    await files.apply((await files.checkInvoices(invoiceRow({ email: body.email }))).id)
    await expect(admin.client.call(undoCreateCustomer, { params: { userId: id } })).rejects.toMatchObject({
      status: 409,
      code: 'built_on',
    })
  })

  test('a row of an invoice file never counts as an imported customer', async () => {
    expect(await app.db.$count(importRows, eq(importRows.invoiceNumber, 'U-2'))).toBe(1)
    const customer = await createUser(app.db, {})
    await files.apply((await files.checkInvoices(invoiceRow({ email: customer.email, client: '990' }))).id)
    const run = await files.checkInvoices(invoiceRow({ client: '990' }))
    expect(await files.rowsOf(run.id)).toMatchObject([{ verdict: 'refused', reason: 'customer_unknown' }])
  })
})
