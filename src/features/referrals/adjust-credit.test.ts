import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, creditTransactions } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { expectInvariants } from '../../../test/harness/invariants.ts'
import { adjustCredit } from './admin-contract.ts'
import { getAccountCredit } from './contract.ts'
import { invalidAmountMessage, shortReasonMessage } from './rules.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp({ connections: 20 })
  admin = await app.signInAdmin()
})
afterAll(async () => {
  await expectInvariants(app.db)
  await app.close()
})

const post = (who: Pick<SignedIn, 'client'>, userId: number, body: unknown) =>
  who.client.post(`/api/admin/users/${userId}/credit`, body)
const book = (who: SignedIn, amount: number, reason = 'For the trouble') =>
  admin.client.call(adjustCredit, { params: { userId: who.user.id }, body: { amount, reason } })
const ledgerOf = ({ user }: SignedIn) =>
  app.db.select().from(creditTransactions).where(eq(creditTransactions.userId, user.id))
const balanceOf = async ({ client }: SignedIn) => (await client.call(getAccountCredit, {})).balance

describe('a credit adjustment is refused, and nothing is booked,', () => {
  test('for anonymous callers and customers, even for their own account', async () => {
    const who = await app.signIn()
    expect((await post({ client: app.client() }, who.user.id, { amount: 100, reason: 'Because' })).status).toBe(401)
    expect((await post(who, who.user.id, { amount: 100, reason: 'Because' })).status).toBe(403)
    expect(await ledgerOf(who)).toEqual([])
  })

  test('for an unknown user', async () => {
    expect((await post(admin, 2147483647, { amount: 100, reason: 'Because' })).status).toBe(404)
  })

  test.each([
    [{ amount: 0 }, 'amount', invalidAmountMessage],
    [{ amount: 1.5 }, 'amount', invalidAmountMessage],
    [{ amount: '100' }, 'amount', invalidAmountMessage],
    [{ amount: 10_000_001 }, 'amount', invalidAmountMessage],
    [{ amount: -10_000_001 }, 'amount', invalidAmountMessage],
    [{ amount: undefined }, 'amount', invalidAmountMessage],
    [{ reason: '' }, 'reason', shortReasonMessage],
    [{ reason: '   ' }, 'reason', shortReasonMessage],
    [{ reason: undefined }, 'reason', shortReasonMessage],
  ])('with an error on the invalid field: %j', async (overrides, path, message) => {
    const who = await app.signIn()
    const response = await post(admin, who.user.id, { amount: 100, reason: 'Because', ...overrides })
    expect([response.status, await response.json()]).toMatchObject([400, { message, issues: [{ path, message }] }])
    expect(await ledgerOf(who)).toEqual([])
  })

  test('if it would make the balance negative, with the current balance in the message', async () => {
    const who = await app.signIn({ credit: 250 })
    const response = await post(admin, who.user.id, { amount: -251, reason: 'Given by mistake' })
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { code: 'credit_spent', message: expect.stringContaining('$2.50') },
    ])
    expect(await balanceOf(who)).toBe(250)
  })

  test('if the balance would exceed its maximum', async () => {
    const who = await app.signIn({ credit: 999_999_999 })
    expect(await (await post(admin, who.user.id, { amount: 2, reason: 'One too many' })).json()).toMatchObject({
      code: 'too_much_credit',
    })
  })

  test('when the displayed balance is stale, so that a double click books once', async () => {
    const who = await app.signIn({ credit: 100 })
    const body = { amount: 50, reason: 'Once only', expectedBalance: 100 }
    const responses = await Promise.all([1, 2, 3, 4].map(() => post(admin, who.user.id, body)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(await balanceOf(who)).toBe(150)
  })

  test("for an administrator's own account when self-approval is denied", async () => {
    const strict = await buildApp({ config: { selfApproval: 'deny' } })
    const own = await strict.signInAdmin()
    const response = await post(own, own.user.id, { amount: 100, reason: 'For myself' })
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'own_account' }])
    await strict.close()
  })
})

describe('a credit adjustment', () => {
  test('is stored as a ledger row with author and reason, is audited, and is shown to the customer', async () => {
    const who = await app.signIn()
    expect(await book(who, 1_250)).toMatchObject({ balance: 1_250, formattedBalance: '$12.50' })
    expect(await book(who, -250, 'Counted twice')).toMatchObject({ balance: 1_000 })
    expect(await ledgerOf(who)).toMatchObject([
      { amount: 1_250, type: 'admin_adjustment', description: 'For the trouble', createdBy: admin.user.id },
      { amount: -250, type: 'admin_adjustment', description: 'Counted twice', createdBy: admin.user.id },
    ])
    const auditEntries = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, String(who.user.id)))
    expect(auditEntries.map(({ action, before, after }) => [action, before, after])).toMatchObject([
      ['user.adjust_credit', { accountCredit: 0 }, { accountCredit: 1_250, reason: 'For the trouble' }],
      ['user.adjust_credit', { accountCredit: 1_250 }, { accountCredit: 1_000, reason: 'Counted twice' }],
    ])
    expect((await who.client.call(getAccountCredit, {})).transactions.map((row) => row.description)).toEqual([
      'Counted twice',
      'For the trouble',
    ])
  })

  test('never makes the balance negative, even if several are made concurrently', async () => {
    const who = await app.signIn({ credit: 100 })
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => post(admin, who.user.id, { amount: -30, reason: 'Taken back' })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(await balanceOf(who)).toBe(10)
  })
})
