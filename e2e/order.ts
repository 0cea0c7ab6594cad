import { expect, type Locator, type Page } from '@playwright/test'
import type { Caller } from '../test/harness/browser.ts'

type Plan = { id: number; name: string; price: number; tier: number; connections: number }
type Order = { invoiceNumber: string; plan: Plan; price: string }
type Payment = { paymentMethod: 'cashapp' | 'venmo' | 'creditcard'; confirmationCode?: string; paymentNote?: string }

/** Returns the plan on sale with this tier and this many connections. */
export async function planOf(page: Caller, tier: number, connections: number): Promise<Plan> {
  const plans = (await (await page.request.get('/api/plans')).json()) as Plan[]
  const plan = plans.find((each) => each.tier === tier && each.connections === connections)
  expect(plan, `a plan of tier ${tier} with ${connections} connections`).toBeDefined()
  return plan!
}

export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

/** Creates a draft invoice for the customer who is logged in on the page. */
export async function openOrder(page: Caller, tier = 2, connections = 2): Promise<Order> {
  const plan = await planOf(page, tier, connections)
  const { invoiceNumber } = (await sendWrite(page, 'post', '/api/create-invoice', {
    planId: plan.id,
    email: 'bill@example.org',
  })) as { invoiceNumber: string }
  return { invoiceNumber, plan, price: dollars(plan.price) }
}

/** Submits the payment for a draft invoice. */
export async function submitOrder(page: Caller, order: Order, payment: Payment): Promise<void> {
  await sendWrite(page, 'post', '/api/submit-payment', {
    planId: order.plan.id,
    invoiceNumber: order.invoiceNumber,
    ...payment,
  })
}

/** Sets the status of an invoice with an administrator's request, without the Admin Panel. */
export async function decideOrder(
  admin: Caller,
  invoiceNumber: string,
  status: 'pending' | 'paid' | 'cancelled',
): Promise<void> {
  const [row] = (await (await admin.request.get(`/api/admin/invoices?search=${invoiceNumber}`)).json()) as {
    id: number
  }[]
  await sendWrite(admin, 'put', `/api/admin/invoices/${row?.id}`, { status })
}

/** Gives account credit to the customer who is logged in on the page. `amount` is in cents. */
export async function giveCredit(page: Caller, admin: Caller, amount: number): Promise<void> {
  const { id } = (await (await page.request.get('/api/user')).json()) as { id: number }
  await sendWrite(admin, 'post', `/api/admin/users/${id}/credit`, { amount, reason: 'As agreed on the phone' })
}

/** Orders a plan and confirms its payment, so that the plan is running. */
export async function buyPlan(page: Caller, admin: Caller, tier = 2, connections = 2): Promise<Order> {
  const order = await openOrder(page, tier, connections)
  await submitOrder(page, order, { paymentMethod: 'cashapp' })
  await decideOrder(admin, order.invoiceNumber, 'paid')
  return order
}

/** Requests a change to another plan. Returns the pending invoice of the change; its amount is in cents. */
export async function requestPlanChange(
  page: Caller,
  tier: number,
  connections: number,
): Promise<{ invoiceNumber: string; amount: number }> {
  const { id } = await planOf(page, tier, connections)
  const { invoice } = (await sendWrite(page, 'post', '/api/change-subscription', { planId: id, prorated: true })) as {
    invoice: { invoiceNumber: string; amount: number }
  }
  return invoice
}

/**
 * Opens the dialog of an invoice and waits for its evidence. The evidence makes the dialog taller and moves its buttons, so an earlier click could
 * miss them.
 */
export async function openInvoiceDialog(admin: Page, opener: Locator): Promise<Locator> {
  await opener.click()
  const dialog = admin.getByRole('dialog', { name: 'Manage Invoice Status' })
  await dialog.getByRole('heading', { name: 'Earlier payments' }).waitFor()
  return dialog
}

/** Sends a write with the caller's cookies, as the scripts of a page do. Fails on an error status. */
export async function sendWrite(page: Caller, method: 'post' | 'put', path: string, data: object): Promise<unknown> {
  const { origin } = new URL((await page.request.get('/api/site')).url())
  const response = await page.request[method](path, { data, headers: { origin } })
  expect(response.ok(), `${path} answered ${response.status()}: ${await response.text()}`).toBe(true)
  return response.json()
}
