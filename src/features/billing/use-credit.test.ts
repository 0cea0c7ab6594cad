import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { creditTransactions, invoiceLines, invoices, users } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { updateInvoice } from './admin-contract.ts'
import { createInvoice, getInvoice, setInvoiceCredit, submitPayment } from './contract.ts'

let app: TestApp
let admin: SignedIn
let planId: number
let otherId: number
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db, { price: 2_000 })).id
  otherId = (await createPlan(app.db, { price: 3_000 })).id
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const open = ({ client }: SignedIn, plan = planId, useCredit?: boolean) =>
  client.call(createInvoice, { body: { planId: plan, email: 'buyer@example.org', useCredit } })
const submit = ({ client }: SignedIn, invoiceNumber: string, plan = planId) =>
  client.call(submitPayment, { body: { planId: plan, paymentMethod: 'creditcard', invoiceNumber } })
const idOf = async (invoiceNumber: string) =>
  (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!.id
const decide = async (invoiceNumber: string, status: 'paid' | 'pending' | 'cancelled') =>
  admin.client.call(updateInvoice, { params: { invoiceId: await idOf(invoiceNumber) }, body: { status } })
const creditOf = async (customer: SignedIn) => (await customer.client.call(getAccountCredit, {})).balance

describe('account credit on an invoice', () => {
  test('is used by default as a separate item, and booked once when the invoice is paid', async () => {
    const customer = await app.signIn({ credit: 500 })
    const { invoiceNumber, amount } = await open(customer)
    expect(amount).toBe(1_500)
    const detail = await customer.client.call(getInvoice, { params: { invoiceNumber } })
    expect(detail).toMatchObject({
      usableCredit: 500,
      lines: [
        { kind: 'plan', amount: 2_000 },
        { kind: 'credit', amount: -500 },
      ],
    })
    expect(await creditOf(customer)).toBe(500)
    await submit(customer, invoiceNumber)
    await Promise.all(Array.from({ length: 20 }, () => decide(invoiceNumber, 'paid')))
    expect(await creditOf(customer)).toBe(0)
    expect(
      await app.db
        .select()
        .from(creditTransactions)
        .where(eq(creditTransactions.relatedInvoiceId, await idOf(invoiceNumber))),
    ).toMatchObject([{ type: 'payment', amount: -500 }])
  })

  test('is restored when the payment is reversed', async () => {
    const customer = await app.signIn({ credit: 500 })
    const { invoiceNumber } = await open(customer)
    await submit(customer, invoiceNumber)
    await decide(invoiceNumber, 'paid')
    await decide(invoiceNumber, 'cancelled')
    expect(await creditOf(customer)).toBe(500)
  })

  test('never makes an invoice negative, and the rest stays in the balance', async () => {
    const customer = await app.signIn({ credit: 5_000 })
    const { invoiceNumber, amount } = await open(customer)
    expect(amount).toBe(0)
    await submit(customer, invoiceNumber)
    await decide(invoiceNumber, 'paid')
    expect(await creditOf(customer)).toBe(3_000)
  })

  test('can be declined at the start, and turned on and off later', async () => {
    const customer = await app.signIn({ credit: 500 })
    const { invoiceNumber, amount } = await open(customer, planId, false)
    expect(amount).toBe(2_000)
    const set = (useCredit: boolean) =>
      customer.client.call(setInvoiceCredit, { params: { invoiceNumber }, body: { useCredit } })
    expect(await set(true)).toEqual({ amount: 1_500 })
    expect(await set(true)).toEqual({ amount: 1_500 })
    expect(await set(false)).toEqual({ amount: 2_000 })
    expect(
      await app.db
        .select()
        .from(invoiceLines)
        .where(eq(invoiceLines.invoiceId, await idOf(invoiceNumber))),
    ).toHaveLength(1)
  })

  test('cannot be changed after a payment was submitted, by another customer, or for a missing invoice', async () => {
    const customer = await app.signIn({ credit: 500 })
    const { invoiceNumber } = await open(customer)
    const set = (who: SignedIn, number = invoiceNumber) =>
      who.client.call(setInvoiceCredit, { params: { invoiceNumber: number }, body: { useCredit: false } })
    await expect(set(await app.signIn())).rejects.toMatchObject({ status: 404 })
    await expect(set(customer, 'ORD-ZZZZZZ')).rejects.toMatchObject({ status: 404 })
    await submit(customer, invoiceNumber)
    await expect(set(customer)).rejects.toMatchObject({ status: 409 })
  })

  test('used by one open invoice is not available to another, even with concurrent requests', async () => {
    const customer = await app.signIn({ credit: 1_000 })
    const first = await open(customer)
    await submit(customer, first.invoiceNumber)
    expect(first.amount).toBe(1_000)
    const second = await open(customer, otherId)
    expect(second.amount).toBe(3_000)
    const set = () =>
      customer.client.call(setInvoiceCredit, {
        params: { invoiceNumber: second.invoiceNumber },
        body: { useCredit: true },
      })
    expect(new Set((await Promise.all(Array.from({ length: 20 }, set))).map((result) => result.amount))).toEqual(
      new Set([3_000]),
    )
    await submit(customer, second.invoiceNumber, otherId)
    await Promise.all([decide(first.invoiceNumber, 'paid'), decide(second.invoiceNumber, 'paid')])
    expect(await creditOf(customer)).toBe(0)
  })

  test('that is no longer available makes the confirmation fail, and nothing changes', async () => {
    const customer = await app.signIn({ credit: 1_000 })
    const { invoiceNumber } = await open(customer)
    await submit(customer, invoiceNumber)
    await app.db.insert(creditTransactions).values({
      userId: customer.user.id,
      amount: -700,
      type: 'admin_adjustment',
      description: 'Correction',
      createdBy: admin.user.id,
    })
    await app.db
      .update(users)
      .set({ accountCredit: sql`${users.accountCredit} - 700` })
      .where(eq(users.id, customer.user.id))
    await expect(decide(invoiceNumber, 'paid')).rejects.toMatchObject({ status: 409, code: 'credit_spent' })
    expect(await creditOf(customer)).toBe(300)
    expect((await app.db.select().from(users).where(eq(users.id, customer.user.id)))[0]!.subscriptionStatus).toBe(
      'none',
    )
  })
})
