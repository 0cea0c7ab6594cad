import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import type { Caller } from '../test/harness/browser.ts'
import { sendWrite } from './order.ts'

/** Records a payment without the page, and returns its id. `amount` is in cents. */
export async function recordPayment(admin: Caller, payerName: string, amount: number, note: string): Promise<number> {
  const { id } = (await sendWrite(admin, 'post', '/api/admin/payments', {
    ...{ requestKey: randomUUID(), rail: 'cashapp', amount, payerName, payerHandle: '', note },
    ...{ paidAt: new Date().toISOString(), providerReference: '' },
  })) as { id: number }
  return id
}

/** Locates the row of a payer's payment on the desk. */
export const paymentRow = (admin: Page, payer: string): Locator => admin.locator('.payment-row', { hasText: payer })

/** Opens the desk, or the payment with the id `payment`. */
export async function openPayments(admin: Page, payment?: number): Promise<void> {
  await admin.goto(payment ? `/admin/payments?payment=${payment}` : '/admin/payments')
  await expect(admin.locator(payment ? '.payment-detail' : '.payment-row').first()).toBeVisible()
}
