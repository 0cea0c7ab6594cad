import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activations, auditLog, invoices } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createInvoice as givenInvoice, type NewInvoice } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { confirmPayments, getInvoicesToConfirm, updateInvoice } from './admin-contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db)).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

type Row = typeof invoices.$inferSelect
let codes = 0
const pending = async (values: Partial<NewInvoice> = {}): Promise<Row> => {
  const invoiceNumber = `ORD-B${String(++codes).padStart(5, '0')}`
  const paymentValues = {
    paymentMethod: 'venmo',
    confirmationCode: `${randomUUID()}`,
    paymentNote: `SAUCE: ${invoiceNumber}`,
  } as const
  const { user } = await app.signIn()
  return givenInvoice(app.db, {
    userId: user.id,
    planId,
    status: 'pending',
    submittedAt: new Date().toISOString(),
    invoiceNumber,
    ...paymentValues,
    ...values,
  })
}
const shown = ({ id, version, amount }: Row, acknowledged = false) => ({
  invoiceId: id,
  version,
  expectedAmount: amount,
  acknowledged,
})
const confirm = (invoices: ReturnType<typeof shown>[]) => admin.client.call(confirmPayments, { body: { invoices } })
const statusOf = async (id: number) => (await app.db.select().from(invoices).where(eq(invoices.id, id)))[0]!.status

describe('confirming several payments', () => {
  test('rejects an empty list, more than fifty payments and invalid ids', async () => {
    const one = shown(await pending())
    await expect(confirm([])).rejects.toMatchObject({ status: 400 })
    await expect(confirm(Array.from({ length: 51 }, () => one))).rejects.toMatchObject({ status: 400 })
    for (const invoiceIds of ['', 'x', '1,', '0', '99999999999', '2147483648', Array(51).fill('1').join()])
      await expect(
        admin.client.call(getInvoicesToConfirm, { query: { invoiceIds } }),
        invoiceIds,
      ).rejects.toMatchObject({ status: 400 })
  })

  test('confirms fifty, each with its own audit entry', async () => {
    const rows: Row[] = []
    for (let i = 0; i < 50; i++) rows.push(await pending())
    const results = await confirm(rows.map((row) => shown(row)))
    expect(results).toEqual(
      rows.map(({ id, invoiceNumber }) => ({ invoiceId: id, invoiceNumber, done: true, code: null, message: null })),
    )
    const [last] = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, String(rows[49]!.id)))
    expect(last).toMatchObject({ action: 'invoice.confirm', actorId: admin.user.id })
  })

  test('continues after a refused payment and returns the result of each', async () => {
    const [payable, changed, missing] = [await pending(), await pending(), { ...(await pending()), id: 2147483647 }]
    await admin.client.call(updateInvoice, { params: { invoiceId: changed.id }, body: { status: 'cancelled' } })
    const wrongAmount = { ...shown(await pending()), expectedAmount: 1 }
    const results = await confirm([shown(changed), shown(missing), wrongAmount, shown(payable)])
    expect(results.map(({ done, code }) => [done, code])).toEqual([
      [false, 'stale'],
      [false, 'not_found'],
      [false, 'amount_changed'],
      [true, null],
    ])
    expect(results[0]!.message).toContain('is now cancelled')
    expect(await statusOf(changed.id)).toBe('cancelled')
  })

  test.each<[string, Partial<NewInvoice>]>([
    ['without a code', { confirmationCode: null }],
    ['with another note', { paymentNote: 'for the pizza' }],
    ['that was not submitted', { submittedAt: null }],
    ['by card, without a payment link', { paymentMethod: 'creditcard', confirmationCode: null, paymentNote: null }],
  ])('skips a payment %s unless it is acknowledged', async (_what, values) => {
    const flagged = await pending(values)
    expect(await confirm([shown(flagged)])).toMatchObject([{ done: false, code: 'needs_acknowledgement' }])
    expect(await statusOf(flagged.id)).toBe('pending')
    expect(await confirm([shown(flagged, true)])).toMatchObject([{ done: true }])
  })

  test('skips a duplicate code and one’s own invoice unless they are acknowledged', async () => {
    const duplicates = [await pending({ confirmationCode: 'SAME-9' }), await pending({ confirmationCode: 'same9' })]
    const own = await pending({ userId: admin.user.id })
    const selected = [...duplicates, own]
    expect((await confirm(selected.map((row) => shown(row)))).map(({ code }) => code)).toEqual(
      Array(3).fill('needs_acknowledgement'),
    )
    expect((await confirm(selected.map((row) => shown(row, true)))).map(({ done }) => done)).toEqual([true, true, true])
  })

  test('confirms a payment only once if it is listed twice or requested concurrently', async () => {
    const row = await pending()
    const responses = await Promise.all(Array.from({ length: 10 }, () => confirm([shown(row), shown(row)])))
    expect(responses.flat().filter(({ done }) => done)).toHaveLength(1)
    expect(await app.db.select().from(activations).where(eq(activations.invoiceId, row.id))).toHaveLength(1)
  })

  test('is preceded by a preview of the current invoices in the requested order, without unknown ids', async () => {
    const [first, second] = [await pending(), await pending({ confirmationCode: null })]
    const rows = await admin.client.call(getInvoicesToConfirm, {
      query: { invoiceIds: `${second.id},${first.id},2147483647` },
    })
    expect(rows.map(({ id }) => id)).toEqual([second.id, first.id])
  })
})
