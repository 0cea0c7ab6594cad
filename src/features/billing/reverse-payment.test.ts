import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredit } from '#features/referrals/admin-contract.ts'
import { getAccountCredit } from '#features/referrals/contract.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { setGuarantee } from '../../../test/harness/guarantee.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { openPaidWorld, type PaidWorld } from '../../../test/harness/paid-world.ts'
import { getInvoiceEvidence } from './admin-contract.ts'
import { releaseBonuses } from './server/service/payments/release-bonuses.ts'

let world: PaidWorld
let small: number
let large: number
let year: number
beforeAll(async () => {
  world = await openPaidWorld()
  small = (await world.plan(1_500, 1, 1)).id
  large = (await world.plan(3_000, 1, 3)).id
  year = (await world.plan(12_000, 12, 1)).id
})
afterEach(() => expectInvariants(world.app.db))
afterAll(() => world.app.close())

const creditOf = ({ client }: SignedIn) => client.call(getAccountCredit, {})

describe('a payment under a later change', () => {
  test('is not taken back before a change of plan that was confirmed on it, even one that cost nothing', async () => {
    const customer = await world.app.signIn()
    const payment = await world.buy(customer, year)
    const change = await world.change(customer, small)
    expect([change.amount, (await world.userOf(customer)).accountCredit]).toEqual([0, 10_500])
    const before = [await world.timeOf(customer), await creditOf(customer)]
    for (const status of ['pending', 'cancelled'] as const)
      await expect(world.decide(payment.id, status)).rejects.toMatchObject({
        ...{ status: 409, code: 'later_change' },
        message: expect.stringContaining(`The plan change ${change.invoiceNumber} was confirmed later`),
      })
    expect([await world.timeOf(customer), await creditOf(customer)]).toEqual(before)
    await world.decide(change.id, 'cancelled')
    await world.decide(payment.id, 'cancelled')
    expect(await world.userOf(customer)).toMatchObject({ subscriptionStatus: 'none', planId: null, accountCredit: 0 })
  })

  test('shows before the decision that it would be refused, and what goes back first', async () => {
    const customer = await world.app.signIn()
    const payment = await world.buy(customer, small)
    const change = await world.change(customer, large)
    const { outcomes } = await world.admin.client.call(getInvoiceEvidence, {
      params: { invoiceId: payment.id },
      query: {},
    })
    for (const { refusal } of outcomes)
      expect(refusal).toMatchObject({ code: 'later_change', message: expect.stringContaining(change.invoiceNumber) })
  })

  test('is taken back where only purchases lie behind it: they move up as if it had never been', async () => {
    const customer = await world.app.signIn()
    const first = await world.buy(customer, small)
    await world.pass(24)
    const second = await world.buy(customer, large)
    await world.buy(customer, year)
    await world.decide(first.id, 'cancelled')
    const [now, month] = [second.paidAt!.slice(0, 10), '2027-04-02']
    expect(await world.timeOf(customer)).toEqual([
      [large, now, month],
      [year, month, '2028-04-02'],
    ])
    expect(await world.userOf(customer)).toMatchObject({
      planId: large,
      iptvMaxConnections: 3,
      subscriptionStatus: 'active',
    })
  })
})

describe('a change of plan taken back', () => {
  test('brings back running and queued time exactly, also when days have passed since', async () => {
    const customer = await world.app.signIn()
    await world.buy(customer, small)
    await world.buy(customer, large)
    const before = [await world.timeOf(customer), await world.userOf(customer)]
    const change = await world.change(customer, year)
    await world.pass(24 * 3)
    await world.decide(change.id, 'cancelled')
    expect([await world.timeOf(customer), await world.userOf(customer)]).toEqual(before)
  })
})

describe('a referral bonus', () => {
  const referred = async () => {
    const referrer = await world.app.signIn()
    return { referrer, customer: await world.app.signIn({ referredBy: referrer.user.id }) }
  }

  test('is pending with its date until the guarantee has run out, and then spendable, once', async () => {
    const { referrer, customer } = await referred()
    const paidAt = world.now()
    await world.buy(customer, small)
    const availableAt = new Date(Date.parse(paidAt) + 7 * 24 * 3_600_000).toISOString()
    expect(await creditOf(referrer)).toMatchObject({
      balance: 0,
      transactions: [],
      pending: [{ amount: 191, formattedAmount: '+$1.91', availableAt }],
    })
    await world.pass(24 * 7 - 1)
    expect(await releaseBonuses(world.app.db)).toBe(0)
    await world.pass(2)
    const released = await Promise.all([releaseBonuses(world.app.db), releaseBonuses(world.app.db)])
    expect(released[0]! + released[1]!).toBe(1)
    expect(await creditOf(referrer)).toMatchObject({
      balance: 191,
      pending: [],
      transactions: [{ amount: 191, type: 'referral_bonus' }],
    })
  })

  test('does not block a refund: a request within the guarantee keeps it pending until it is decided', async () => {
    const { referrer, customer } = await referred()
    const payment = await world.buy(customer, small)
    await world.pass(24 * 6)
    await world.requestRefund(customer, payment)
    await world.pass(24 * 10)
    expect(await releaseBonuses(world.app.db)).toBe(0)
    expect(await world.approveRefund(payment)).toMatchObject({ request: { status: 'approved' } })
    expect(await creditOf(referrer)).toMatchObject({ balance: 0, pending: [], transactions: [] })
    expect(await releaseBonuses(world.app.db)).toBe(0)
  })

  test('that was booked goes back with its payment, and is refused where it is spent', async () => {
    const { referrer, customer } = await referred()
    const payment = await world.buy(customer, small)
    await world.pass(24 * 8)
    await releaseBonuses(world.app.db)
    await world.admin.client.call(adjustCredit, {
      params: { userId: referrer.user.id },
      body: { amount: -191, reason: 'Spent elsewhere' },
    })
    await expect(world.decide(payment.id, 'cancelled')).rejects.toMatchObject({ status: 409, code: 'credit_spent' })
    await world.admin.client.call(adjustCredit, {
      params: { userId: referrer.user.id },
      body: { amount: 191, reason: 'Given back' },
    })
    await world.decide(payment.id, 'cancelled')
    expect((await creditOf(referrer)).balance).toBe(0)
  })

  test('is booked with the payment where there is no guarantee', async () => {
    await setGuarantee(world.admin, 0)
    const { referrer, customer } = await referred()
    await world.buy(customer, small)
    expect(await creditOf(referrer)).toMatchObject({ balance: 191, pending: [] })
    await setGuarantee(world.admin, 7)
  })
})
