import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { getAccountCredit, getReferralInfo } from './contract.ts'
import { normalizeCode, referralCodeFrom } from './rules.ts'
import * as ledger from './server/ledger.ts'
import { randomReferralCode } from './server/service.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
})
afterAll(() => app.close())

describe('referral code and credit', () => {
  test.each(['/api/referrals/my-code', '/api/account/credit'])(
    '%s is refused with 401 for anonymous callers',
    async (path) => {
      expect((await app.client().request(path)).status).toBe(401)
    },
  )

  test('include a link and a message to share', async () => {
    const { client, user } = await app.signIn()
    const shareUrl = `http://localhost:3000/register?ref=${user.referralCode}`
    expect(await client.call(getReferralInfo, {})).toEqual({
      referralCode: user.referralCode,
      shareUrl,
      shareMessage: `Join me on SauceTV! Use my referral code ${user.referralCode} and get 15% off your subscription: ${shareUrl}`,
    })
  })

  test('start with a zero balance and no transactions', async () => {
    const { client } = await app.signIn()
    expect(await client.call(getAccountCredit, {})).toEqual({
      balance: 0,
      formattedBalance: '$0.00',
      transactions: [],
      pending: [],
    })
  })

  test('include only the user’s own transactions, newest first, with signed amounts', async () => {
    const { client, user } = await app.signIn({ credit: 123_456 })
    await createUser(app.db, { credit: 999 })
    await app.db.transaction((tx) =>
      ledger.bookCredit(tx, {
        userId: user.id,
        amount: -2_050,
        type: 'payment',
        description: 'Credit used',
        createdBy: user.id,
      }),
    )
    const { formattedBalance, balance, transactions } = await client.call(getAccountCredit, {})
    expect([balance, formattedBalance]).toEqual([121_406, '$1,214.06'])
    expect(transactions.map(({ description, type, formattedAmount }) => [description, type, formattedAmount])).toEqual([
      ['Credit used', 'payment', '-$20.50'],
      ['Opening balance', 'admin_adjustment', '+$1,234.56'],
    ])
    expect(Object.keys(transactions[0]!).sort()).toEqual([
      'amount',
      'createdAt',
      'description',
      'formattedAmount',
      'id',
      'relatedInvoiceId',
      'type',
    ])
  })
})

describe('a referral code', () => {
  test('uses all unambiguous letters and digits with equal frequency', () => {
    const drawn = Array.from({ length: 256 }, (_, byte) => referralCodeFrom(new Uint8Array(10).fill(byte)))
    const seen = new Map<string, number>()
    for (const code of drawn) seen.set(code[0]!, (seen.get(code[0]!) ?? 0) + 1)
    expect([...seen.keys()].sort().join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZ')
    expect(new Set(seen.values())).toEqual(new Set([8]))
  })

  test('is random', () => {
    expect(new Set(Array.from({ length: 10_000 }, randomReferralCode)).size).toBe(10_000)
  })

  test.each([
    ['abcd-efgh 23', 'ABCDEFGH23'],
    ['ABCDEFGH23', 'ABCDEFGH23'],
  ])('typed as %j is normalized to %s', (typed, stored) => {
    expect(normalizeCode(typed)).toBe(stored)
  })
})
