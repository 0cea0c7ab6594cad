import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { dollars, openOrder, sendWrite, submitOrder } from './order.ts'
import { openPayments, paymentRow, recordPayment } from './payments.ts'

const paypalHead =
  '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Reference Txn ID","Note","Balance Impact"'
/** A PayPal statement in which a payment of `cents` for an order is reversed a day later. */
function takenBack(payer: string, cents: number, note: string): Buffer {
  const amount = (cents / 100).toFixed(2)
  const id = randomUUID().replaceAll('-', '').slice(0, 15).toUpperCase()
  const line = (...cells: string[]) => cells.map((cell) => `"${cell}"`).join(',')
  const paid = ['USD', amount, '0.00', amount, 'payer@mail.example', 'pay@shop.example', `${id}AA`, '', note, 'Credit']
  const back = ['USD', `-${amount}`, '0.00', `-${amount}`, 'pay@shop.example', 'payer@mail.example']
  return Buffer.from(
    [
      paypalHead,
      line('11/19/2026', '15:02:11', 'EST', payer, 'General Payment', 'Completed', ...paid),
      line(
        '11/20/2026',
        '15:02:11',
        'EST',
        payer,
        'Payment Reversal',
        'Completed',
        ...back,
        `${id}BB`,
        `${id}AA`,
        '',
        'Debit',
      ),
    ].join('\n'),
  )
}

test('a payment that the provider reversed reopens its invoice, and a search is kept in the URL @proof', async ({
  page,
  app,
  register,
  newCaller,
  signInAdmin,
}) => {
  const customer = (await register({}, await newCaller())).page
  const order = await openOrder(customer)
  await submitOrder(customer, order, { paymentMethod: 'cashapp', paymentNote: order.invoiceNumber })
  const admin = await signInAdmin(page)
  const payer = `Back ${randomUUID().slice(0, 6)}`
  const data = takenBack(payer, order.plan.price, order.invoiceNumber)
  const headers = { origin: app.url, 'content-type': 'application/octet-stream' }
  const response = await admin.request.post('/api/admin/statements?name=paypal.csv&expectedNew=2', { data, headers })
  expect(response.ok(), await response.text()).toBe(true)

  await admin.goto('/admin/payments')
  await admin.getByLabel('Search payments').fill(payer)
  await expect(paymentRow(admin, payer)).toHaveCount(2)
  await expect(admin).toHaveURL(/[?&]search=Back/)
  await admin.reload()
  await expect(admin.getByLabel('Search payments')).toHaveValue(payer)
  await paymentRow(admin, payer).filter({ hasText: 'Exact match' }).click()
  await admin.getByRole('button', { name: `Confirm ${order.price}` }).click()
  await expect(admin.locator('.toast')).toContainText(`Confirmed: ${order.price} from ${payer}`)
  await paymentRow(admin, payer).click()
  await admin.getByText(`Reopen ${order.invoiceNumber}`).click()
  await expect(admin.getByRole('heading', { name: 'What this does' })).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: `Take Back ${order.price}` }).click()
  await expect(admin.locator('.toast', { hasText: 'Taken back' })).toBeVisible()
  await customer.request
    .get(`/api/invoices/${order.invoiceNumber}`)
    .then(async (invoice) => expect(((await invoice.json()) as { status: string }).status).toBe('pending'))
})

test('one payment is split between two orders, and a difference within the limit is accepted with a reason', async ({
  page,
  register,
  newCaller,
  signInAdmin,
}) => {
  const orders = []
  for (let count = 0; count < 2; count++) {
    const customer = (await register({}, await newCaller())).page
    const order = await openOrder(customer)
    await submitOrder(customer, order, { paymentMethod: 'cashapp', paymentNote: order.invoiceNumber })
    orders.push(order)
  }
  const [first, second] = [orders[0]!, orders[1]!]
  const admin = await signInAdmin(page)
  const family = `Family ${randomUUID().slice(0, 6)}`
  await openPayments(admin, await recordPayment(admin, family, first.plan.price + second.plan.price, 'for both of us'))
  await admin.getByRole('button', { name: 'Split' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Split the Payment' })
  for (const { invoiceNumber } of [first, second]) {
    await dialog.getByLabel('Customer, order number or email').fill(invoiceNumber)
    await dialog.getByLabel(invoiceNumber).check()
  }
  await expect(dialog.getByText('$0.00 left')).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Confirm 2 Invoices' }).click()
  await expect(admin.locator('.toast')).toContainText('Confirmed')
  await expect(paymentRow(admin, family)).toHaveCount(0)

  const customer = (await register({}, await newCaller())).page
  const order = await openOrder(customer)
  await submitOrder(customer, order, { paymentMethod: 'cashapp', paymentNote: order.invoiceNumber })
  const path = '/api/admin/settings/payment-desk'
  const { version, value } = (await (await admin.request.get(path)).json()) as { version: string; value: object }
  await sendWrite(admin, 'put', path, { version, value: { ...value, acceptedCents: 100 } })
  const short = `Short ${randomUUID().slice(0, 6)}`
  await openPayments(admin, await recordPayment(admin, short, order.plan.price - 99, order.invoiceNumber))
  await admin.getByText('Accept $0.99 less').click()
  const confirm = admin.getByRole('button', { name: `Confirm ${dollars(order.plan.price - 99)}` })
  await confirm.click()
  await expect(admin.getByText('Please enter the reason')).toBeVisible()
  await admin.getByLabel('Reason').fill('Fee of the sender’s bank')
  await confirm.click()
  await expect(admin.locator('.toast', { hasText: short })).toContainText('Confirmed')
})
