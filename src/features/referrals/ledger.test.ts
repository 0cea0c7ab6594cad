import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { User } from '#features/accounts/contract.ts'
import { inTransaction, violationOf } from '#server/db/retry.ts'
import { activations, creditTransactions, referralClaims, users } from '#server/db/tables.ts'
import { Refusal } from '#server/errors.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createUser } from '../../../test/harness/factories.ts'
import { roundCount } from '../../../test/harness/scale.ts'
import * as ledger from './server/ledger.ts'

let app: TestApp
let admin: User
beforeAll(async () => {
  app = await buildApp({ connections: 30 })
  admin = await createUser(app.db, { role: 'admin' })
})
afterAll(() => app.close())

const balanceOf = async (userId: number) =>
  (await app.db.select({ cents: users.accountCredit }).from(users).where(eq(users.id, userId)))[0]!.cents
const ledgerOf = (userId: number) =>
  app.db.select().from(creditTransactions).where(eq(creditTransactions.userId, userId)).orderBy(creditTransactions.id)
const expectAgreement = async (userId: number) => {
  const rows = await ledgerOf(userId)
  expect(await balanceOf(userId)).toBe(rows.reduce((sum, row) => sum + row.amount, 0))
  return rows
}
const adjust = (userId: number, amount: number) =>
  inTransaction(app.db, (tx) =>
    ledger.bookCredit(tx, { userId, amount, type: 'admin_adjustment', description: 'By hand', createdBy: admin.id }),
  )

/** Inserts an activation with its paid invoice, as the billing service does. */
async function activationFor(userId: number): Promise<{ invoiceId: number; activationId: number }> {
  const invoice = await createInvoice(app.db, { userId, status: 'paid', paidAt: new Date().toISOString() })
  const state = { planId: null, status: 'none' as const, startDate: null, endDate: null, maxConnections: null }
  const [row] = await app.db
    .insert(activations)
    .values({
      userId,
      invoiceId: invoice.id,
      kind: 'purchase',
      planId: invoice.planId,
      effectiveAt: new Date().toISOString(),
      after: state,
    })
    .returning({ id: activations.id })
  return { invoiceId: invoice.id, activationId: row!.id }
}

describe('credit is refused', () => {
  test.each([
    [0, -1],
    [500, -501],
    [500, -2_000_000_000],
  ])('when a balance of %i cents cannot cover a booking of %i, and nothing is written', async (credit, amount) => {
    const user = await createUser(app.db, { credit })
    const before = await ledgerOf(user.id)
    await expect(adjust(user.id, amount)).rejects.toMatchObject({ status: 409, code: 'credit_spent' })
    expect(await balanceOf(user.id)).toBe(credit)
    expect(await ledgerOf(user.id)).toEqual(before)
  })

  test('for all but one of fifty concurrent bookings that spend the same credit', async () => {
    const user = await createUser(app.db, { credit: 1_000 })
    const settled = await Promise.allSettled(Array.from({ length: 50 }, () => adjust(user.id, -1_000)))
    expect(settled.filter((result) => result.status === 'fulfilled').length).toBe(1)
    for (const result of settled)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'credit_spent' })
    expect(await balanceOf(user.id)).toBe(0)
    expect((await expectAgreement(user.id)).length).toBe(2)
  })

  test('by a database constraint when the balance would become negative', async () => {
    const user = await createUser(app.db, { credit: 100 })
    const error = await app.db
      .update(users)
      .set({ accountCredit: -1 })
      .where(eq(users.id, user.id))
      .catch((refused: unknown) => refused)
    expect(violationOf(error)?.code).toBe('23514')
  })

  test('by a database constraint when a bonus is booked twice', async () => {
    const [referrer, referee] = [await createUser(app.db), await createUser(app.db)]
    const { invoiceId, activationId } = await activationFor(referee.id)
    const bonus = {
      userId: referrer.id,
      amount: 225,
      type: 'referral_bonus' as const,
      description: 'Referral bonus',
      relatedInvoiceId: invoiceId,
      activationId,
    }
    await inTransaction(app.db, (tx) => ledger.bookCredit(tx, bonus))
    const again = await inTransaction(app.db, (tx) => ledger.bookCredit(tx, bonus)).catch((refused: unknown) => refused)
    expect(violationOf(again)).toEqual({ code: '23505', constraint: 'one_booking_an_activation' })
    expect((await expectAgreement(referrer.id)).length).toBe(1)
  })
})

describe('the ledger', () => {
  test.each([
    'update credit_transactions set amount = 1',
    'delete from credit_transactions',
    'truncate credit_transactions cascade',
  ])('cannot be rewritten: %s', async (statement) => {
    await createUser(app.db, { credit: 100 })
    await expect(app.database.pool.query(statement)).rejects.toThrow(/append-only/)
  })

  test('is rolled back with its transaction', async () => {
    const user = await createUser(app.db, { credit: 100 })
    const failing = app.db.transaction(async (tx) => {
      await ledger.bookCredit(tx, {
        userId: user.id,
        amount: 900,
        type: 'refund',
        description: 'Refund',
        createdBy: admin.id,
      })
      throw new Error('the invoice could not be written')
    })
    await expect(failing).rejects.toThrow('the invoice could not be written')
    expect([await balanceOf(user.id), (await expectAgreement(user.id)).length]).toEqual([100, 1])
  })

  test('contains no row for an amount of zero', async () => {
    const user = await createUser(app.db)
    await adjust(user.id, 0)
    expect(await ledgerOf(user.id)).toEqual([])
  })

  test('adds up to the balance after any concurrent bookings and reversals', async () => {
    const step = fc.record({ who: fc.nat(2), amount: fc.integer({ min: -900, max: 1_000 }), undo: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const people = await Promise.all([0, 1, 2].map(() => createUser(app.db)))
        await Promise.all(
          steps.map(async ({ who, amount, undo }) => {
            const user = people[who]!
            const { invoiceId, activationId } = await activationFor(user.id)
            try {
              await inTransaction(app.db, (tx) =>
                ledger.bookCredit(tx, {
                  userId: user.id,
                  amount,
                  type: 'refund',
                  description: 'Step',
                  relatedInvoiceId: invoiceId,
                  activationId,
                }),
              )
              if (undo) await inTransaction(app.db, (tx) => ledger.reverseBookings(tx, activationId, admin.id))
            } catch (error) {
              if (!(error instanceof Refusal) || error.code !== 'credit_spent') throw error
            }
          }),
        )
        for (const person of people) {
          const rows = await expectAgreement(person.id)
          let running = 0
          for (const row of rows) {
            running += row.amount
            expect(running).toBeGreaterThanOrEqual(0)
          }
        }
      }),
      { numRuns: roundCount('BOOKINGS', { short: 6, full: 25 }) },
    )
  })
})

describe('a reversal', () => {
  const booked = async () => {
    const user = await createUser(app.db, { credit: 700 })
    const { invoiceId, activationId } = await activationFor(user.id)
    await inTransaction(app.db, async (tx) => {
      const booking = { userId: user.id, relatedInvoiceId: invoiceId, activationId, createdBy: admin.id }
      await ledger.bookCredit(tx, { ...booking, amount: 300, type: 'admin_adjustment', description: 'Unused part' })
      await ledger.bookCredit(tx, { ...booking, amount: -1_000, type: 'payment', description: 'Credit used' })
    })
    return { user, activationId }
  }
  const reverse = (activationId: number) =>
    inTransaction(app.db, (tx) => ledger.reverseBookings(tx, activationId, admin.id))

  test('reverses each booking of an activation with a new row that references it', async () => {
    const { user, activationId } = await booked()
    expect(await balanceOf(user.id)).toBe(0)
    await reverse(activationId)
    expect(await balanceOf(user.id)).toBe(700)
    const [, unused, payment, ...reversals] = await expectAgreement(user.id)
    const byOriginal = (id: number) => reversals.find((row) => row.reversesId === id)
    expect(reversals.length).toBe(2)
    expect(byOriginal(unused!.id)).toMatchObject({
      amount: -300,
      type: 'admin_adjustment',
      description: 'Reversed: Unused part',
      activationId,
      createdBy: admin.id,
      relatedInvoiceId: unused!.relatedInvoiceId,
    })
    expect(byOriginal(payment!.id)).toMatchObject({ amount: 1_000, type: 'payment' })
  })

  test('has one effect when it is repeated, even fifty times concurrently', async () => {
    const { user, activationId } = await booked()
    await Promise.all(Array.from({ length: 50 }, () => reverse(activationId)))
    await reverse(activationId)
    expect([await balanceOf(user.id), (await expectAgreement(user.id)).length]).toEqual([700, 5])
  })

  test('is refused as a whole when the credit is already spent', async () => {
    const user = await createUser(app.db)
    const { invoiceId, activationId } = await activationFor(user.id)
    await inTransaction(app.db, (tx) =>
      ledger.bookCredit(tx, {
        userId: user.id,
        amount: 500,
        type: 'refund',
        description: 'Refund',
        relatedInvoiceId: invoiceId,
        activationId,
      }),
    )
    await adjust(user.id, -200)
    await expect(reverse(activationId)).rejects.toMatchObject({ code: 'credit_spent' })
    expect([await balanceOf(user.id), (await expectAgreement(user.id)).length]).toEqual([300, 2])
  })

  test('does not change the bookings of other activations', async () => {
    const [one, other] = [await booked(), await booked()]
    await reverse(one.activationId)
    expect(await balanceOf(other.user.id)).toBe(0)
  })
})

describe('the referrer’s reward', () => {
  const pair = async () => {
    const referrer = await createUser(app.db)
    const referee = await createUser(app.db, { referredBy: referrer.id })
    return { referrer, referee, ...(await activationFor(referee.id)) }
  }
  const reward = (input: { referee: User; invoiceId: number; activationId: number }, paidCents = 1_275) =>
    inTransaction(app.db, async (tx) => {
      const { referee, invoiceId, activationId } = input
      await ledger.earnReward(tx, {
        refereeId: referee.id,
        invoiceId,
        paidCents,
        percent: 15,
        availableAt: new Date().toISOString(),
      })
      await ledger.bookReward(tx, { refereeId: referee.id, activationId, actorId: admin.id })
    })

  test('is not paid for a customer without a referrer', async () => {
    const referee = await createUser(app.db)
    await reward({ referee, ...(await activationFor(referee.id)) })
    expect(await ledgerOf(referee.id)).toEqual([])
  })

  test('is 15 % of the amount paid, rounded half up, and records the administrator who confirmed the payment', async () => {
    const referral = await pair()
    await reward(referral)
    expect(await expectAgreement(referral.referrer.id)).toMatchObject([
      {
        amount: 191,
        type: 'referral_bonus',
        description: 'Referral bonus',
        relatedInvoiceId: referral.invoiceId,
        activationId: referral.activationId,
        createdBy: admin.id,
      },
    ])
    expect(await balanceOf(referral.referee.id)).toBe(0)
  })

  test('is paid once, even for fifty concurrent confirmations and a second invoice', async () => {
    const referral = await pair()
    await Promise.all(Array.from({ length: 50 }, () => reward(referral)))
    await reward({ ...referral, ...(await activationFor(referral.referee.id)) })
    expect(await balanceOf(referral.referrer.id)).toBe(191)
    expect((await expectAgreement(referral.referrer.id)).length).toBe(1)
  })

  test('can be earned by the next payment after it is withdrawn', async () => {
    const referral = await pair()
    await reward(referral)
    await inTransaction(app.db, async (tx) => {
      await ledger.reverseBookings(tx, referral.activationId, admin.id)
      await ledger.withdrawReward(tx, referral.invoiceId)
    })
    expect(await balanceOf(referral.referrer.id)).toBe(0)
    await reward({ ...referral, ...(await activationFor(referral.referee.id)) }, 1_000)
    expect(await balanceOf(referral.referrer.id)).toBe(150)
  })

  test('of a free invoice uses the claim without a ledger row', async () => {
    const referral = await pair()
    await reward(referral, 0)
    expect(await ledgerOf(referral.referrer.id)).toEqual([])
    const [claim] = await app.db.select().from(referralClaims).where(eq(referralClaims.refereeId, referral.referee.id))
    expect(claim?.rewardedInvoiceId).toBe(referral.invoiceId)
  })

  test('causes no deadlock between customers who referred each other in a circle', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => createUser(app.db)))
    for (const [i, person] of people.entries())
      await app.db.insert(referralClaims).values({ refereeId: person.id, referrerId: people[(i + 1) % 6]!.id })
    const pairs = await Promise.all(people.map(async (referee) => ({ referee, ...(await activationFor(referee.id)) })))
    // Without the retrying wrapper, which would hide a deadlock. Also updates the customer's own row.
    const once = ({ referee, invoiceId, activationId }: (typeof pairs)[number]) =>
      app.db.transaction(async (tx) => {
        const [claim] = await tx
          .select({ referrerId: referralClaims.referrerId })
          .from(referralClaims)
          .where(eq(referralClaims.refereeId, referee.id))
        await ledger.lockUsers(tx, [referee.id, claim!.referrerId])
        await ledger.earnReward(tx, {
          refereeId: referee.id,
          invoiceId,
          paidCents: 1_000,
          percent: 15,
          availableAt: new Date().toISOString(),
        })
        await ledger.bookReward(tx, { refereeId: referee.id, activationId, actorId: admin.id })
        await ledger.bookCredit(tx, {
          userId: referee.id,
          amount: 1,
          type: 'refund',
          description: 'Change',
          createdBy: admin.id,
        })
      })
    await Promise.all([...pairs, ...pairs, ...pairs].map(once))
    for (const person of people) expect(await balanceOf(person.id)).toBe(153)
  })
})
