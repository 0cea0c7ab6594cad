import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decidePayment } from '#features/payments/admin-contract.ts'
import { recordPayment } from '#features/payments/admin-record-contract.ts'
import { paymentCases } from '#server/db/tables.ts'
import { Metrics } from '#server/observability/metrics.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { addPaymentMetrics } from './server/payment-metrics.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const record = () =>
  admin.client.call(recordPayment, {
    body: {
      ...{
        requestKey: randomUUID(),
        rail: 'cashapp',
        amount: 1_200,
        note: 'hello',
        payerName: 'Dana',
        payerHandle: '',
      },
      ...{ paidAt: new Date().toISOString(), providerReference: '' },
    },
  })

test('payments and decisions since the start of the process are counted once, and gauges show the open payments', async () => {
  await record()
  const metrics = new Metrics()
  addPaymentMetrics(metrics, app.db)
  expect(await metrics.text()).not.toContain('sauce_payments_recorded_total{')
  const { id, version } = await record()
  await app.db
    .update(paymentCases)
    .set({ createdAt: sql`now() - interval '90 seconds'` })
    .where(eq(paymentCases.paymentId, id))
  await admin.client.call(decidePayment, { params: { paymentId: id }, body: { version, action: 'not_ours' } })
  await Promise.all([metrics.text(), metrics.text()])
  const text = await metrics.text()
  expect(text).toContain('sauce_payments_recorded_total{rail="cashapp",source="typed"} 1\n')
  expect(text).toContain('sauce_payment_decisions_total{action="not_ours",by="person"} 1\n')
  const seconds = /^sauce_payment_decisions_seconds_total\{by="person"\} (\S+)/m.exec(text)?.[1]
  expect(Number(seconds)).toBeGreaterThan(89)
  expect(Number(seconds)).toBeLessThan(120)
  expect(text).toContain('sauce_payments_waiting{ready="false"} 1\n')
  expect(text).toContain('sauce_payments_waiting{ready="true"} 0\n')
  expect(text).toContain('sauce_payment_emails_to_review 0\n')
  expect(Number(/^sauce_payments_oldest_seconds (\S+)/m.exec(text)?.[1])).toBeGreaterThan(0)
})
