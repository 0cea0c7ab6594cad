import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createInvoice, setInvoiceCredit, submitPayment } from '#features/billing/contract.ts'
import { expireInvoices } from '#features/billing/server/service/orders/expire-invoices.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import { inTransaction } from '#server/db/retry.ts'
import {
  auditLog,
  invoices,
  mails,
  paymentAutomation,
  paymentMailLinks,
  paymentMails,
  paymentRuleResults,
} from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, password } from '../../../test/harness/factories.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { roundCount } from '../../../test/harness/scale.ts'
import { getAutomation, updateAutomation } from './admin-automation-contract.ts'
import { decidePayment, getPayment, undoPayment } from './admin-contract.ts'
import { recordPayment } from './admin-record-contract.ts'
import { decisionsNeeded, reasonAgainstOn } from './automation-rules.ts'
import type { Evidence } from './server/matching/types.ts'
import { confirmWaiting } from './server/service/automation/confirm-by-rule.ts'
import { insertPayment, type NewPayment } from './server/service/record-payment.ts'

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
type Switch = Partial<typeof paymentAutomation.$inferInsert>
const defaults = { rails: ['cashapp'], maxCents: 10_000, perDay: 1_000, perDayCents: 10_000_000, perPayerDay: 2 }
const setSwitch = (values: Switch) => app.db.update(paymentAutomation).set(values)
beforeEach(() =>
  setSwitch({ ...defaults, perCustomerDay: 1, mode: 'on', since: new Date().toISOString(), reason: null }),
)

async function ordered(customer?: SignedIn) {
  const { client, user } = customer ?? (await app.signIn())
  const { invoiceNumber } = await client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
  await client.call(submitPayment, {
    body: { planId, paymentMethod: 'cashapp', confirmationCode: '', paymentNote: invoiceNumber, invoiceNumber },
  })
  return { ...(await invoiceOf(invoiceNumber)), user }
}
const invoiceOf = async (number: string) =>
  (await app.db.select().from(invoices).where(eq(invoices.invoiceNumber, number)))[0]!
const proven = (): Evidence => ({
  auth: 'proven',
  recipientIsOurs: true,
  templateKnown: true,
  signedAt: new Date().toISOString(),
})
/** Records a payment as the mailbox reader does, with the email that proves it. */
const arrive = (note: string, facts: Partial<NewPayment> = {}, changes: Partial<Evidence> = {}) =>
  inTransaction(app.db, async (tx) => {
    const evidence = { ...proven(), ...changes }
    const key = randomUUID()
    const payment = await insertPayment(
      tx,
      {
        ...{
          rail: 'cashapp',
          source: 'mail',
          amount: 3_000,
          payerName: 'Dana Whitfield',
          payerHandle: `$${key}`,
          note,
        },
        ...{ paidAt: new Date().toISOString(), paidOn: new Date().toISOString().slice(0, 10), providerReference: key },
        ...facts,
      },
      evidence,
    )
    const [mail] = await tx
      .insert(paymentMails)
      .values({
        ...{ sourceKey: key, mailbox: 'test', uidValidity: 1n, uid: 1, messageId: key, sender: 'cash@square.com' },
        ...{ subject: 'You received money', bytes: 1, receivedAt: new Date().toISOString(), outcome: 'payment' },
        ...{ auth: evidence.auth === 'proven' ? 'proven' : 'vouched', signedAt: evidence.signedAt },
        template: evidence.templateKnown ? 'cashapp' : null,
      })
      .returning()
    await tx.insert(paymentMailLinks).values({ mailId: mail!.id, paymentId: payment!.id })
    return payment!
  })
const detail = (paymentId: number) => admin.client.call(getPayment, { params: { paymentId }, query: {} })
const blocksOf = async (paymentId: number): Promise<string[]> =>
  (
    await app.db.execute<{ codes: string[] }>(
      sql`select blocked_by as codes from payment_cases where payment_id = ${paymentId}`,
    )
  ).rows[0]!.codes
const resultOf = async (paymentId: number) =>
  (await app.db.select().from(paymentRuleResults).where(eq(paymentRuleResults.paymentId, paymentId)))[0]
const put = (body: object) =>
  admin.client.request('/api/admin/payment-automation', {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const state = () => admin.client.call(getAutomation, {})
const limits = { ...defaults, rails: ['cashapp' as const], perCustomerDay: 1 }
const mode = async (to: 'off' | 'shadow' | 'on', currentPassword?: string, version?: number) =>
  admin.client.call(updateAutomation, {
    body: {
      ...{ ...limits, mode: to, version: version ?? (await state()).version },
      ...(currentPassword && { currentPassword }),
    },
  })
const confirm = async (paymentId: number, invoiceId: number, who = admin) =>
  who.client.call(decidePayment, {
    params: { paymentId },
    body: { action: 'confirm', invoiceIds: [invoiceId], version: (await detail(paymentId)).version },
  })

describe('automatic confirmation', () => {
  test('cannot be turned on without shadow mode, agreement and the password, or from an outdated page', async () => {
    await setSwitch({ mode: 'off' })
    await expect(mode('on')).rejects.toMatchObject({ status: 400 })
    await expect(mode('on', 'wrong')).rejects.toMatchObject({ status: 403, code: 'wrong_password' })
    await expect(mode('on', password)).rejects.toMatchObject({ status: 409, code: 'not_agreed' })
    await expect(mode('shadow', undefined, 9_999)).rejects.toMatchObject({ status: 409, code: 'stale' })
    const shadow = await mode('shadow')
    expect(shadow).toMatchObject({ mode: 'shadow', agreed: 0, differed: 0, changedBy: admin.user.username })
    await expect(mode('on', password)).rejects.toMatchObject({ status: 409, code: 'not_agreed' })
  })

  test('can be turned on after 30 agreeing decisions, and all owners get an email', async () => {
    await mode('shadow')
    const payments = await Promise.all(
      Array.from({ length: decisionsNeeded }, async () => {
        const invoice = await ordered()
        return { invoice, payment: await arrive(invoice.invoiceNumber) }
      }),
    )
    expect(await confirmWaiting(app.db)).toBe(0)
    await Promise.all(payments.map(({ invoice, payment }) => confirm(payment.id, invoice.id)))
    expect(await state()).toMatchObject({ agreed: decisionsNeeded, differed: 0 })
    const on = await mode('on', password)
    expect(on).toMatchObject({ mode: 'on', reason: null })
    const notices = await app.db
      .select()
      .from(mails)
      .where(sql`${mails.dedupeKey} like ${`admin_notice:automation_changed:${on.version}:%`}`)
    expect(notices.length).toBeGreaterThan(0)
    const entries = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'automation.mode'))
      .orderBy(auditLog.id)
    expect(entries.at(-1)).toMatchObject({ actorId: admin.user.id, after: { mode: 'on' } })
  })

  test('cannot be turned on if a single decision differs', async () => {
    expect(reasonAgainstOn({ agreed: decisionsNeeded - 1, differed: 0 })).toContain('29 of 30')
    expect(reasonAgainstOn({ agreed: decisionsNeeded, differed: 0 })).toBeNull()
    await mode('shadow')
    const invoice = await ordered()
    const { id } = await arrive(invoice.invoiceNumber)
    await admin.client.call(decidePayment, {
      params: { paymentId: id },
      body: { action: 'credit', invoiceIds: [invoice.id], version: (await detail(id)).version },
    })
    const { agreed, differed } = await state()
    expect([agreed, differed]).toEqual([0, 1])
    expect(reasonAgainstOn({ agreed: 500, differed })).toContain('One decision differs')
  })

  test('has limits that must be whole numbers in range, and changing them while it is on requires the password', async () => {
    const { version } = await state()
    const body = { ...limits, mode: 'on' as const, version }
    for (const wrong of [{ maxCents: 0 }, { perDay: 1.5 }, { perPayerDay: 101 }, { rails: ['cash'] }, {}])
      expect((await put({ ...body, ...wrong })).status).toBe(400)
    const raised = { ...body, maxCents: 4_200 }
    expect((await put({ ...raised, currentPassword: 'wrong' })).status).toBe(403)
    const changed = await admin.client.call(updateAutomation, { body: { ...raised, currentPassword: password } })
    expect(changed).toMatchObject({ mode: 'on', maxCents: 4_200 })
    await expect(admin.client.call(updateAutomation, { body: { ...raised, mode: 'shadow' } })).rejects.toMatchObject({
      status: 409,
      code: 'stale',
    })
  })
})

describe('the rule', () => {
  const broken: [
    code: string,
    facts: Partial<NewPayment>,
    evidence: Partial<Evidence>,
    note?: (number: string) => string,
  ][] = [
    ['not_proven', {}, { auth: 'vouched' }],
    ['other_recipient', {}, { recipientIsOurs: false }],
    ['template_unknown', {}, { templateKnown: false }],
    ['not_final', { final: false }, {}],
    ['currency', { currency: 'EUR' }, {}],
    ['amount_differs', { amount: 2_999 }, {}],
    ['rail_off', { rail: 'venmo' }, {}],
    ['too_old', {}, { signedAt: new Date(Date.now() - 73 * 3_600_000).toISOString() }],
    ['reference_missing', {}, {}, () => 'for TV'],
  ]
  test.each(broken)(
    'leaves a payment to an administrator if the condition %s is unmet',
    async (code, facts, evidence, note) => {
      const invoice = await ordered()
      const { id } = await arrive(note?.(invoice.invoiceNumber) ?? invoice.invoiceNumber, facts, evidence)
      expect(await blocksOf(id)).toContain(code)
      await confirmWaiting(app.db)
      expect(await resultOf(id)).toBeUndefined()
      expect((await invoiceOf(invoice.invoiceNumber)).status).toBe('pending')
    },
  )

  test('never confirms typed payments or orders of administrators, and no payments that arrived while it was off', async () => {
    const invoice = await ordered()
    const { id } = await admin.client.call(recordPayment, {
      body: {
        ...{ requestKey: randomUUID(), rail: 'cashapp', amount: 3_000, payerName: '', payerHandle: '$me' },
        ...{ note: invoice.invoiceNumber, paidAt: new Date().toISOString(), providerReference: '' },
      },
    })
    const own = await ordered(admin)
    const ownPayment = await arrive(own.invoiceNumber)
    expect(await blocksOf(ownPayment.id)).toContain('own_invoice')
    await setSwitch({ mode: 'off' })
    const off = await arrive((await ordered()).invoiceNumber)
    await setSwitch({ mode: 'on' })
    expect(await confirmWaiting(app.db)).toBe(0)
    for (const paymentId of [id, ownPayment.id, off.id]) expect(await resultOf(paymentId)).toBeUndefined()
  })

  test('confirms an exact proven payment once, with the conditions in the audit log and an email to the customer', async () => {
    const invoice = await ordered()
    const payment = await arrive(invoice.invoiceNumber)
    const counts = await Promise.all([confirmWaiting(app.db), confirmWaiting(app.db)])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await invoiceOf(invoice.invoiceNumber)).toMatchObject({ status: 'paid', paidAt: payment.paidAt })
    expect(await detail(payment.id)).toMatchObject({
      status: 'done',
      rule: { state: 'confirmed' },
      decision: { action: 'confirm', by: 'the automatic rule' },
    })
    const entries = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, String(payment.id)))
    expect(entries.find(({ action }) => action === 'payment.confirm_by_rule')).toMatchObject({
      actorId: null,
      after: { source: 'proven', conditions: expect.stringContaining('reference_reused') },
    })
    const sent = await app.db.select().from(mails).where(eq(mails.userId, invoice.user.id))
    expect(sent.filter(({ template }) => template === 'payment_confirmed')).toHaveLength(1)
  })

  test('respects the limits, even when payments are confirmed concurrently', async () => {
    const customer = await app.signIn()
    const [first, second] = [await ordered(customer), await ordered(customer)]
    const payments = [await arrive(first.invoiceNumber), await arrive(second.invoiceNumber)]
    await Promise.all([confirmWaiting(app.db), confirmWaiting(app.db)])
    const results = await Promise.all(payments.map(({ id }) => resultOf(id)))
    expect(results.map((each) => each?.state).sort()).toEqual(['confirmed', 'refused'])
    await setSwitch({ maxCents: 2_999 })
    const over = await arrive((await ordered()).invoiceNumber)
    expect(await blocksOf(over.id)).toContain('over_limit')
    expect(await confirmWaiting(app.db)).toBe(0)
  })

  test('returns to shadow mode when a confirmation is undone, with the reason for administrators', async () => {
    const invoice = await ordered()
    const { id } = await arrive(invoice.invoiceNumber)
    expect(await confirmWaiting(app.db)).toBe(1)
    const { version } = await detail(id)
    await admin.client.call(undoPayment, { params: { paymentId: id }, body: { version } })
    expect((await invoiceOf(invoice.invoiceNumber)).status).toBe('pending')
    expect(await state()).toMatchObject({
      mode: 'shadow',
      reason: `${admin.user.username} undid an automatic confirmation`,
    })
    expect(await confirmWaiting(app.db)).toBe(0)
    const entries = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'automation.mode'))
      .orderBy(auditLog.id)
    expect(entries.at(-1)).toMatchObject({ actorId: null, after: { mode: 'shadow' } })
  })

  test('returns to shadow mode when a payment that it confirmed is reversed, and is turned off for a rail with a new layout', async () => {
    const { id } = await arrive((await ordered()).invoiceNumber)
    await confirmWaiting(app.db)
    await arrive('', { rail: 'cashapp' }, { templateKnown: false })
    expect(await state()).toMatchObject({ mode: 'on', rails: [] })
    await arrive('', { direction: 'reversal', reversesId: id })
    expect((await state()).mode).toBe('shadow')
  })

  test('and an administrator who decide at the same time confirm a payment once', async () => {
    for (let round = 0; round < roundCount('RULE_RACES', { short: 3, full: 50 }); round++) {
      const invoice = await ordered()
      const { id } = await arrive(invoice.invoiceNumber)
      const [byPerson] = await Promise.allSettled([confirm(id, invoice.id), confirmWaiting(app.db)])
      const result = await resultOf(id)
      expect(result?.state).toBe(byPerson.status === 'fulfilled' ? 'refused' : 'confirmed')
      expect((await invoiceOf(invoice.invoiceNumber)).status).toBe('paid')
    }
  })

  test('confirms an order at the matched amount or not at all, if the customer turns on credit at the same time', async () => {
    for (let round = 0; round < roundCount('RULE_RACES', { short: 3, full: 50 }); round++) {
      const { client } = await app.signIn({ credit: 500 })
      const body = { planId, email: 'buyer@example.org', useCredit: false }
      const { invoiceNumber } = await client.call(createInvoice, { body })
      const { id } = await arrive(invoiceNumber)
      await Promise.allSettled([
        client.call(setInvoiceCredit, { params: { invoiceNumber }, body: { useCredit: true } }),
        confirmWaiting(app.db),
      ])
      const { status, amount } = await invoiceOf(invoiceNumber)
      const isConfirmed = (await resultOf(id))?.state === 'confirmed'
      expect([status, amount]).toEqual(isConfirmed ? ['paid', 3_000] : ['draft', 2_500])
      expect((await client.call(getAccountCredit, {})).balance).toBe(500)
    }
  })

  test('confirms an order or lets it expire, in agreement with its stored result, if the deadline passes at the same time', async () => {
    for (let round = 0; round < roundCount('RULE_RACES', { short: 3, full: 50 }); round++) {
      const invoice = await ordered()
      const { id } = await arrive(invoice.invoiceNumber)
      await app.db
        .update(invoices)
        .set({ expiresAt: sql`clock_timestamp() + make_interval(secs => ${(round % 10) / 500})` })
        .where(eq(invoices.id, invoice.id))
      await Promise.all([confirmWaiting(app.db), expireInvoices(app.db)])
      const isConfirmed = (await resultOf(id))?.state === 'confirmed'
      await new Promise((resolve) => setTimeout(resolve, 25))
      await expireInvoices(app.db)
      expect((await invoiceOf(invoice.invoiceNumber)).status).toBe(isConfirmed ? 'paid' : 'expired')
    }
  })
})
