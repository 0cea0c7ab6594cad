import { expect, type Page } from '@playwright/test'

type Plan = { id: number; name: string; price: number; tier: number; connections: number }
type Order = { invoiceNumber: string; plan: Plan; price: string }
type Payment = { paymentMethod: 'cashapp' | 'venmo' | 'creditcard'; confirmationCode?: string; paymentNote?: string }

/** The plan on sale with this tier and this many connections. */
export async function planOf(page: Page, tier: number, connections: number): Promise<Plan> {
  const plans = (await (await page.request.get('/api/plans')).json()) as Plan[]
  const plan = plans.find((each) => each.tier === tier && each.connections === connections)
  expect(plan, `a plan of tier ${tier} with ${connections} connections`).toBeDefined()
  return plan!
}

export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`

/** Creates a draft order for the user of the page. */
export async function openOrder(page: Page, tier = 2, connections = 2): Promise<Order> {
  const plan = await planOf(page, tier, connections)
  const { invoiceNumber } = (await write(page, 'post', '/api/create-invoice', {
    planId: plan.id,
    email: 'bill@example.org',
  })) as { invoiceNumber: string }
  return { invoiceNumber, plan, price: dollars(plan.price) }
}

/** Submits the payment of an order. */
export async function submitOrder(page: Page, order: Order, payment: Payment): Promise<void> {
  await write(page, 'post', '/api/submit-payment', {
    planId: order.plan.id,
    invoiceNumber: order.invoiceNumber,
    ...payment,
  })
}

/** Sets the status of an invoice as an administrator, through the API. */
export async function decideOrder(
  admin: Page,
  invoiceNumber: string,
  status: 'pending' | 'paid' | 'cancelled',
): Promise<void> {
  const [row] = (await (await admin.request.get(`/api/admin/invoices?search=${invoiceNumber}`)).json()) as {
    id: number
  }[]
  await write(admin, 'put', `/api/admin/invoices/${row?.id}`, { status })
}

/** Grants account credit in cents to the user of the page. */
export async function giveCredit(page: Page, admin: Page, amount: number): Promise<void> {
  const { id } = (await (await page.request.get('/api/user')).json()) as { id: number }
  await write(admin, 'post', `/api/admin/users/${id}/credit`, { amount, reason: 'As agreed on the phone' })
}

/** Buys a plan for the user of the page and confirms the payment. */
export async function buyPlan(page: Page, admin: Page, tier = 2, connections = 2): Promise<Order> {
  const order = await openOrder(page, tier, connections)
  await submitOrder(page, order, { paymentMethod: 'cashapp' })
  await decideOrder(admin, order.invoiceNumber, 'paid')
  return order
}

/** Requests a plan change and returns its pending invoice. */
export async function askForChange(
  page: Page,
  tier: number,
  connections: number,
): Promise<{ invoiceNumber: string; amount: number }> {
  const { id } = await planOf(page, tier, connections)
  const { invoice } = (await write(page, 'post', '/api/change-subscription', { planId: id, prorated: true })) as {
    invoice: { invoiceNumber: string; amount: number }
  }
  return invoice
}

async function write(page: Page, method: 'post' | 'put', path: string, data: object): Promise<unknown> {
  const { origin } = new URL((await page.request.get('/api/site')).url())
  const response = await page.request[method](path, { data, headers: { origin } })
  expect(response.ok(), `${path} returned ${response.status()}: ${await response.text()}`).toBe(true)
  return response.json()
}
