import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createInvoice } from '#features/billing/contract.ts'
import { buildApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { decidePayment, listPayments } from './admin-contract.ts'
import { recordPayment } from './admin-record-contract.ts'

test('a desk with nothing to do says whether it ever had a payment, and when the last one was confirmed', async () => {
  const app = await buildApp()
  onTestFinished(() => app.close())
  const [admin, customer] = [await app.signInAdmin(), await app.signIn()]
  const idle = async () => (await admin.client.call(listPayments, { query: {} })).idle
  const record = (note: string) =>
    admin.client.call(recordPayment, {
      body: {
        ...{ requestKey: randomUUID(), rail: 'cashapp', amount: 3_000, note, payerName: 'Dana', payerHandle: '' },
        ...{ paidAt: new Date().toISOString(), providerReference: '' },
      },
    })
  expect(await idle()).toEqual({ hasPayments: false, confirmedAt: null })
  const { id: paymentId, version } = await record('hello')
  expect(await idle()).toBeNull()
  await admin.client.call(decidePayment, { params: { paymentId }, body: { version, action: 'not_ours' } })
  expect(await idle()).toEqual({ hasPayments: true, confirmedAt: null })

  const { id: planId } = await createPlan(app.db, { price: 3_000 })
  const { invoiceNumber } = await customer.client.call(createInvoice, { body: { planId, email: 'a@example.org' } })
  const exact = await record(invoiceNumber)
  const confirmed = await admin.client.call(decidePayment, {
    params: { paymentId: exact.id },
    body: { version: exact.version, action: 'confirm', invoiceIds: [exact.invoiceId!] },
  })
  expect(await idle()).toEqual({ hasPayments: true, confirmedAt: confirmed.decision!.at })
  expect((await admin.client.call(listPayments, { query: { tab: 'done' } })).idle).toBeNull()
})
