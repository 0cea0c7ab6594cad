import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInvoice } from '#features/billing/contract.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { decidePayment, listPayments } from './admin-contract.ts'
import { recordPayment } from './admin-record-contract.ts'
import type { DeskTab } from './rules.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const record = (payerName: string, note: string, providerReference = '') =>
  admin.client.call(recordPayment, {
    body: {
      ...{ requestKey: randomUUID(), rail: 'cashapp', amount: 3_000, payerName, payerHandle: '$jo_b', note },
      ...{ paidAt: new Date().toISOString(), providerReference },
    },
  })
const found = async (search: string, tab: DeskTab = 'waiting') =>
  (await admin.client.call(listPayments, { query: { search, tab } })).rows.map(({ id }) => id)

test('a search on the desk needs at least three characters', async () => {
  for (const search of ['ab', '  a ', 'x'.repeat(121)])
    await expect(found(search), search).rejects.toMatchObject({ status: 400 })
})

test('a search or group with a control character is refused', async () => {
  await expect(found('nul\u0000inside')).rejects.toMatchObject({ status: 400 })
  const query = { alike: 'cashapp\u0000 3000' }
  await expect(admin.client.call(listPayments, { query })).rejects.toMatchObject({ status: 400 })
})

test('a search finds payer, note, transaction number and order number, literally and within its tab', async () => {
  const { id: planId } = await createPlan(app.db, { price: 3_000 })
  const customer = await app.signIn()
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'jo@example.org' } })
  const named = await record('Jo Bell', invoiceNumber.slice(4), '#D-QQENK44E')
  const exact = await record('Kim Ito', `SAUCE: ${invoiceNumber}`)
  const other = await record('Ana Ruiz', '100% off_er')
  expect(await found('jo bell')).toEqual([named.id])
  expect(await found('qqenk')).toEqual([named.id])
  expect(await found('100% off_')).toEqual([other.id])
  expect(await found('00%off')).toEqual([])
  expect(await found('$JO_')).toHaveLength(3)
  expect(await found(invoiceNumber.toLowerCase())).toEqual([exact.id])
  await admin.client.call(decidePayment, {
    params: { paymentId: other.id },
    body: { action: 'not_ours', version: other.version },
  })
  expect(await found('ana ruiz')).toEqual([])
  expect(await found('ana ruiz', 'done')).toEqual([other.id])
  const { promiseMinutes } = await admin.client.call(listPayments, { query: {} })
  expect(promiseMinutes).toBe(24 * 60)
})
