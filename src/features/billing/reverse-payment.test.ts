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

describe('reversing a payment', () => {
  test('is refused until a plan change that depends on the payment is reversed, even a free plan change', async () => {
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

  test('is shown as refused in the preview, with the plan change that must be reversed first', async () => {
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

  test('removes its segment, and later purchases start earlier', async () => {
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

describe('reversing a plan change', () => {
  test('restores current and future segments exactly, even days later', async () => {
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

  test('is pending until the guarantee ends, and is then booked once', async () => {
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

  test('does not block a refund: the bonus stays pending while a refund request is open', async () => {
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

  test('that was booked is withdrawn by a reversal, which is refused while the bonus is spent', async () => {
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

  test('is booked with the payment when there is no guarantee', async () => {
    await setGuarantee(world.admin, 0)
    const { referrer, customer } = await referred()
    await world.buy(customer, small)
    expect(await creditOf(referrer)).toMatchObject({ balance: 191, pending: [] })
    await setGuarantee(world.admin, 7)
  })
})
