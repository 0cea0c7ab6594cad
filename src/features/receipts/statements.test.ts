import { randomInt, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInvoice } from '#features/billing/contract.ts'
import { decidePayment, getPayment, listPayments, undoPayment } from '#features/payments/admin-contract.ts'
import { recordPayment } from '#features/payments/admin-record-contract.ts'
import { invoices, payments } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { statementFiles } from '../../../test/harness/payment-statements.ts'
import { tableHashes } from '../../../test/harness/table-hashes.ts'
import {
  bookStatement,
  listStatements,
  previewStatement,
  type StatementPreview,
  withdrawStatement,
} from './admin-contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 3_000 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const bytes = (text: string | Uint8Array) => new Uint8Array(typeof text === 'string' ? Buffer.from(text) : text)
const columns = {
  date: 'Day',
  name: 'Who',
  note: 'Text',
  amount: 'Value',
  dateFormat: 'dd/MM/yyyy',
  decimal: ',',
} as const
type More = { mapping?: object; name?: string }
const query = ({ mapping, name = 'november.csv' }: More = {}) => ({
  name,
  ...(mapping && { mapping: JSON.stringify(mapping) }),
})
const read = (text: string | Uint8Array, more?: More) =>
  admin.client.call(previewStatement, { query: query(more), body: bytes(text) })
const preview = async (text: string | Uint8Array, more?: More) => {
  const answer = await read(text, more)
  expect(answer.state).toBe('preview')
  return answer as StatementPreview
}
const book = (text: string | Uint8Array, expectedNew: number, more: More & { skipUnreadable?: 'true' } = {}) =>
  admin.client.call(bookStatement, {
    query: { ...query(more), expectedNew, ...(more.skipUnreadable && { skipUnreadable: more.skipUnreadable }) },
    body: bytes(text),
  })
const ordered = async (customer: SignedIn) => {
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  return (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!
}

type CsvRow = {
  id?: string
  at?: string
  type?: string
  amount?: string
  note?: string
  name?: string
  currency?: string
}
/** Returns a Cash App statement. Each row has a random transaction number unless `id` is set. */
const cashapp = (...rows: CsvRow[]): string =>
  [
    '"Transaction ID","Date","Transaction Type","Currency","Amount","Fee","Net Amount","Status","Notes","Name of sender/receiver"',
    ...rows.map(({ id, at, type, amount, note, name, currency }) =>
      [
        id ?? randomUUID().slice(0, 12),
        at ?? '2026-11-19 09:02:11 EST',
        type ?? 'Received P2P',
        currency ?? 'USD',
        amount ?? '$30',
        ...['$0', amount ?? '$30', 'PAYMENT DEPOSITED'],
        note ?? '',
        name ?? `Payer ${randomUUID().slice(0, 6)}`,
      ]
        .map((cell) => `"${cell.replaceAll('"', '""')}"`)
        .join(','),
    ),
  ].join('\n')
/** Returns a table without transaction numbers, with the given note in each row. */
const table = (note: string, ...values: string[]) =>
  ['Day;Who;Text;Value', ...values.map((value) => `19/11/2026;Ana Ruiz;${note};${value}`)].join('\n')

describe('files that are refused, with the reason', () => {
  test.each([
    ['an empty file', '', 400, 'empty'],
    ['blanks', ' \n ', 400, 'empty'],
    ['a spreadsheet', 'PK\u0003\u0004\u0000\u0000', 400, 'binary'],
    ['a PDF', '%PDF-1.7 text', 400, 'binary'],
    ['plain text', 'hello\nworld\n', 400, 'unknown_columns'],
    ['XML without a statement', '<?xml version="1.0"?><Document/>', 400, 'no_statement'],
    [
      'XML with a document type declaration',
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><Document/>',
      400,
      'doctype',
    ],
    ['too many rows', `"11/19/2026","1.00","*","","x"\n`.repeat(50_001), 400, 'too_many_rows'],
    ['more than 5 MB', 'x'.repeat(5_000_001), 413, 'too_large'],
  ])('%s', async (_, text, status, code) => {
    await expect(read(text)).rejects.toMatchObject({ status, code })
    await expect(book(text, 0)).rejects.toMatchObject({ status, code })
  })

  test('a wrong media type, an invalid mapping, a statement of another account', async () => {
    const answer = await admin.client.post('/api/admin/statements/preview?name=a.csv', { a: 1 })
    expect(answer.status).toBe(415)
    for (const mapping of ['{', '[]', '{"date":"Day"}', JSON.stringify({ ...columns, decimal: ';' })]) {
      const path = `/api/admin/statements/preview?name=a.csv&mapping=${encodeURIComponent(mapping)}`
      const headers = { 'content-type': 'application/octet-stream' }
      const refused = await admin.client.request(path, { method: 'POST', headers, body: bytes(table('x', '1,00')) })
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([400, 'invalid_mapping'])
    }
    await app.db.execute(sql`insert into settings (key, value) values ('payments', '{"venmoHandle": "@other-shop"}')
      on conflict (key) do update set value = excluded.value`)
    app.restart()
    const venmo = statementFiles.find(({ format }) => format === 'csv:venmo')!.text
    await expect(read(venmo)).rejects.toMatchObject({ status: 409, code: 'other_account' })
    await app.db.execute(sql`delete from settings where key = 'payments'`)
    app.restart()
  })
})

describe('the preview', () => {
  test('gives each row a verdict, and stores nothing', async () => {
    const invoice = await ordered(await app.signIn())
    const before = await tableHashes(app.database.pool)
    const file = cashapp(
      { note: `SAUCE: ${invoice.invoiceNumber}` },
      { note: 'for TV', name: 'A\u202eB' },
      { type: 'Bitcoin Buy', amount: '-$2.90' },
      { currency: 'MXN' },
      { amount: 'many' },
      { at: '2026-13-19 09:02:11 EST' },
      { at: '2027-11-19 09:02:11 EST' },
      { amount: '$1,000,000.01' },
      { id: 'same' },
      { id: 'same' },
    )
    const { counts, lines, newCents, format, booked } = await preview(file)
    expect(await tableHashes(app.database.pool)).toEqual(before)
    expect({ format, booked, newCents }).toEqual({ format: 'csv:cashapp', booked: null, newCents: 9_000 })
    expect(counts).toEqual({ exact: 1, check: 2, known: 1, skipped: 2, unreadable: 4 })
    expect(lines.map(({ line, verdict, reason }) => [line, verdict, reason])).toEqual([
      [2, 'exact', null],
      [3, 'check', null],
      [4, 'skipped', 'outgoing'],
      [5, 'skipped', 'other_currency'],
      [6, 'unreadable', 'amount'],
      [7, 'unreadable', 'date'],
      [8, 'unreadable', 'future'],
      [9, 'unreadable', 'too_much'],
      [10, 'check', null],
      [11, 'known', 'repeated'],
    ])
    expect(lines[0]).toMatchObject({ invoiceNumber: invoice.invoiceNumber, amount: 3_000, paidOn: '2026-11-19' })
    expect(lines[1]).toMatchObject({ payer: 'AB', kind: 'unknown', invoiceNumber: null })
  })

  test.each(statementFiles.filter(({ format }) => format !== 'mt940'))(
    '$format is read',
    async ({ text, format, payments: all, skipped }) => {
      const { counts, format: read } = await preview(text)
      expect(read).toBe(format)
      expect([counts.exact + counts.check + counts.known, counts.skipped]).toEqual([all.length, skipped])
    },
  )

  test('a table of unknown format is read with the columns that an administrator chooses, which are remembered once the file is booked', async () => {
    const note = randomUUID()
    const file = table(note, '31,49', '31,49', '-5,00')
    expect(await read(file)).toMatchObject({ state: 'columns', columns: ['Day', 'Who', 'Text', 'Value'] })
    expect(await preview(file, { mapping: columns })).toMatchObject({
      counts: { check: 2, skipped: 1 },
      mapping: columns,
    })
    expect((await read(file)).state).toBe('columns')
    await book(file, 2, { mapping: columns })
    // A file with the same headings whose amount could also be read in another number format.
    expect(await preview(table(randomUUID(), '1.031,49'))).toMatchObject({ newCents: 103_149, mapping: columns })
    expect(await read(file, { mapping: { ...columns, amount: 'Nothing' } })).toMatchObject({ state: 'columns' })
  })
})

describe('booking', () => {
  test('is refused when the preview is outdated, the file is already booked, or rows cannot be read', async () => {
    const file = cashapp({}, { amount: 'many' }, {})
    await expect(book(file, 2)).rejects.toMatchObject({
      status: 409,
      code: 'unreadable_lines',
      message: expect.stringContaining('3'),
    })
    await expect(book(file, 3, { skipUnreadable: 'true' })).rejects.toMatchObject({
      status: 409,
      code: 'preview_changed',
    })
    expect(await book(file, 2, { skipUnreadable: 'true' })).toMatchObject({
      counts: { new: 2, known: 0, skipped: 0, unreadable: 1 },
      newCents: 6_000,
      by: admin.user.username,
    })
    await expect(book(file, 2, { skipUnreadable: 'true' })).rejects.toMatchObject({ status: 409, code: 'known_file' })
    expect((await preview(file)).booked).toMatchObject({ by: admin.user.username })
  })

  test('twice at the same time records the payments once', async () => {
    const file = cashapp({ name: 'Twice Twice' }, {}, {})
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => book(file, 3)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, code: 'known_file' })
    expect(await app.db.select().from(payments).where(eq(payments.payerName, 'Twice Twice'))).toHaveLength(1)
  })

  test('records payments with their matches, so that they can be confirmed on the desk, and an audit entry', async () => {
    const invoice = await ordered(await app.signIn())
    const name = `Payer ${randomInt(1e6)}`
    const file = await book(cashapp({ note: invoice.invoiceNumber, name }), 1, { name: 'cash\u0007app.csv' })
    expect(file.name).toBe('cashapp.csv')
    const row = (await admin.client.call(listPayments, { query: {} })).rows.find(({ payerName }) => payerName === name)!
    expect(row).toMatchObject({ kind: 'exact', ready: true, invoiceNumber: invoice.invoiceNumber, rail: 'cashapp' })
    const detail = await admin.client.call(getPayment, { params: { paymentId: row.id }, query: {} })
    expect(detail).toMatchObject({ source: 'statement', statements: [{ name: 'cashapp.csv', line: 2 }] })
    const { rows } = await app.database.pool.query(
      "select after from audit_log where action = 'statement.book' and target_id = $1",
      [String(file.id)],
    )
    expect(rows[0].after).toMatchObject({ file: 'cashapp.csv', format: 'Cash App statement', newLines: 1 })
    const body = { action: 'confirm' as const, invoiceIds: [invoice.id], version: row.version }
    await admin.client.call(decidePayment, { params: { paymentId: row.id }, body })
    expect((await app.db.select().from(invoices).where(eq(invoices.id, invoice.id)))[0]!.status).toBe('paid')
  })

  test('does not record typed payments and rows of an overlapping statement again, but records identical rows', async () => {
    const name = `Maria Typed${randomInt(1e6)}`
    const body = {
      ...{ requestKey: randomUUID(), rail: 'cashapp' as const, amount: 3_000, payerName: name, payerHandle: '' },
      ...{ note: 'thanks', paidAt: '2026-11-19T14:10:00Z', providerReference: '' },
    }
    const { id } = await admin.client.call(recordPayment, { body })
    const first = cashapp({ name, note: 'thanks' }, { id: `over-${name}` })
    const { lines } = await preview(first)
    expect(lines.map(({ verdict, paymentId }) => [verdict, paymentId])).toEqual([
      ['known', id],
      ['check', null],
    ])
    await book(first, 1)
    expect((await preview(cashapp({ id: `over-${name}` }, {}))).counts).toMatchObject({ known: 1, check: 1 })
    const note = randomUUID()
    await book(table(note, '7,00', '7,00'), 2)
    expect((await preview(table(note, '7,00', '7,00', '7,00'))).counts).toMatchObject({ known: 2, check: 1 })
    await book(table(note, '7,00', '7,00', '7,00'), 1)
    expect((await preview(table(note, '7,00', '7,00', '7,00', '8,00'))).counts).toMatchObject({ known: 3, check: 1 })
  })
})

describe('withdrawing a statement', () => {
  const rowsOf = async (name: string) =>
    (await admin.client.call(listPayments, { query: {} })).rows.filter(({ payerName }) => payerName === name)
  const withdraw = (statementId: number) => admin.client.call(withdrawStatement, { params: { statementId } })

  test('is refused while one of its payments is decided, and for an unknown or withdrawn statement', async () => {
    await expect(withdraw(2_000_000_000)).rejects.toMatchObject({ status: 404 })
    const invoice = await ordered(await app.signIn())
    const name = `Payer ${randomInt(1e6)}`
    const file = cashapp({ note: invoice.invoiceNumber, name }, { name })
    const { id } = await book(file, 2)
    const row = (await rowsOf(name)).find(({ ready }) => ready)!
    const body = { action: 'confirm' as const, invoiceIds: [invoice.id], version: row.version }
    const done = await admin.client.call(decidePayment, { params: { paymentId: row.id }, body })
    expect((await admin.client.call(listStatements, {}))[0]).toMatchObject({ id, decided: 1 })
    await expect(withdraw(id)).rejects.toMatchObject({ status: 409, code: 'in_use' })
    expect(await rowsOf(name)).toHaveLength(1)
    await admin.client.call(undoPayment, { params: { paymentId: row.id }, body: { version: done.version } })
    expect(await withdraw(id)).toMatchObject({ withdrawn: { by: admin.user.username } })
    expect(await rowsOf(name)).toEqual([])
    await expect(withdraw(id)).rejects.toMatchObject({ status: 409, code: 'withdrawn' })
    // The facts of the payments are kept, and the file may be booked again.
    expect(await app.db.select().from(payments).where(eq(payments.payerName, name))).toHaveLength(2)
    await expect(
      app.db.update(payments).set({ withdrawnAt: null }).where(eq(payments.payerName, name)),
    ).rejects.toThrow()
    await book(file, 2)
    expect(await rowsOf(name)).toHaveLength(2)
  })

  test('keeps the payments that another statement reported as well', async () => {
    const name = `Payer ${randomInt(1e6)}`
    const [shared, own] = [{ id: randomUUID(), name }, { name }]
    const { id } = await book(cashapp(shared, own), 2)
    await book(cashapp(shared, {}), 1)
    await withdraw(id)
    expect(await rowsOf(name)).toHaveLength(1)
  })
})
