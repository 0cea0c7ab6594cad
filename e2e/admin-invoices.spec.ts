import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addMonths } from '#kit/dates.ts'
import { type Caller, type Customer, expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { inEachLook, savePicture } from '../test/harness/looks.ts'
import { decideOrder, openInvoiceDialog, openOrder, submitOrder } from './order.ts'

type Payment = { paymentMethod: 'cashapp' | 'venmo' | 'creditcard'; confirmationCode?: string; paymentNote?: string }
type Submitted<On extends Caller = Caller> = { user: Customer<On>; page: On; number: string; price: string }
/** `paying` registers a customer and submits the payment of an order. */
const test = journey.extend<{
  paying: <On extends Caller = Caller>(said?: Partial<Payment>, on?: On) => Promise<Submitted<On>>
  admin: Page
}>({
  paying: async ({ register, newCaller }, use) => {
    await use(async <On extends Caller = Caller>(said: Partial<Payment> = {}, on?: On) => {
      const user = await register({}, on ?? ((await newCaller()) as On))
      const order = await openOrder(user.page)
      const { invoiceNumber } = order
      const whole = {
        paymentMethod: 'cashapp' as const,
        confirmationCode: randomUUID(),
        paymentNote: `SAUCE: ${invoiceNumber}`,
      }
      await submitOrder(user.page, order, { ...whole, ...said })
      return { user, page: user.page, number: invoiceNumber, price: order.price }
    })
  },
  admin: async ({ page, signInAdmin }, use) => use(await signInAdmin(page)),
})

async function openDialog(admin: Page, number: string, does: 'Confirm Payment' | 'Manage' = 'Confirm Payment') {
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  return openInvoiceDialog(admin, admin.getByRole('button', { name: `${does} ${number}`, exact: true }))
}
const methodFilter = (admin: Page) => admin.getByLabel('Payment method', { exact: true })
const day = (instant: number) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' }).format(instant)

test('the evidence lists what matches, what does not, and the effects of confirming @proof', async ({
  paying,
  admin,
}) => {
  const confirmationCode = `twice-${Date.now()}`
  const twin = await paying({ confirmationCode })
  const { user, number, price } = await paying({
    confirmationCode: confirmationCode.toUpperCase(),
    paymentNote: 'for the pizza',
  })
  const earlier = await openOrder(user.page, 1, 1)
  await submitOrder(user.page, earlier, { paymentMethod: 'venmo', confirmationCode: `EARLY-${Date.now()}` })
  await decideOrder(admin, earlier.invoiceNumber, 'paid')

  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await admin.route('**/api/admin/invoices/*/evidence*', async (route) => {
    await held
    await route.continue()
  })
  const opening = openDialog(admin, number)
  const confirm = admin.getByRole('dialog').getByRole('button', { name: 'Confirm Payment' })
  await confirm.click({ trial: true })
  const before = await confirm.boundingBox()
  release()
  const dialog = await opening
  expect(await confirm.boundingBox(), 'evidence that arrives moves no button').toEqual(before)
  await admin.unroute('**/api/admin/invoices/*/evidence*')
  for (const fact of [
    user.username,
    user.email,
    price,
    'Cash App',
    'for the pizza',
    'Does not match',
    `Expected: SAUCE: ${number}`,
  ])
    await expect(dialog.getByText(fact).first()).toBeVisible()
  await expect(dialog.getByText(/Waiting for .+, due within 24 hours/)).toBeVisible()
  await expect(dialog.getByRole('link', { name: twin.number })).toHaveAttribute('href', `/invoice/${twin.number}`)
  await expect(dialog.getByText(twin.user.username)).toBeVisible()
  await expect(dialog.getByText(`1 payment, ${earlier.price} in total`)).toBeVisible()
  await expect(dialog.getByRole('link', { name: earlier.invoiceNumber })).toBeVisible()

  const outcome = dialog.getByRole('region', { name: 'What this does' })
  const paidOn = await dialog.getByLabel('Payment date').inputValue()
  await expect(outcome.getByText(/^Ends:/)).toContainText(day(Date.parse(addMonths(paidOn, 1))))
  await expect(outcome.getByText('is notified by email')).toBeVisible()
  await dialog.getByLabel('Payment date').fill('2020-01-01')
  await expect(outcome).toContainText('must not be in the future or more than 31 days before the invoice')
  await dialog.getByLabel('Status').selectOption('pending')
  await expect(outcome).toBeHidden()
})

test('a rejected payment is shown to the customer with the reason, submitted again and confirmed', async ({
  paying,
  admin,
  newPage,
}) => {
  const { user, page: customer, number } = await paying({}, await newPage())
  await customer.goto(`/checkout?invoiceNumber=${number}`)
  await expect(customer.getByRole('heading', { name: 'Awaiting Approval' })).toBeVisible()
  await expect(customer.getByText('Connected: the approval will appear here immediately.')).toBeVisible()

  const dialog = await openDialog(admin, number)
  await dialog.getByRole('button', { name: 'Reject Payment' }).click()
  const rejecting = admin.getByRole('dialog', { name: 'Reject Payment' })
  await expect(rejecting.getByLabel('Reason for the customer')).toBeFocused()
  await admin.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Reject Payment' })).toBeFocused()
  await admin.keyboard.press('Enter')
  await rejecting.getByLabel('Reason for the customer').fill('no')
  await rejecting.getByRole('button', { name: 'Reject Payment' }).click()
  await expect(rejecting.getByLabel('Reason for the customer')).toHaveAccessibleDescription(/at least 3 characters/)
  await rejecting
    .getByLabel('Reason for the customer')
    .fill('We found no payment with this code.\nPlease look at your receipt.')
  await rejecting.getByRole('button', { name: 'Reject Payment' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.locator('.toast')).toContainText(
    `${user.username} is notified of the reason and can submit ${number} again.`,
  )

  // The open checkout returns to the payment step without a reload.
  await expect(customer.getByRole('heading', { name: 'Payment', exact: true })).toBeVisible()
  await expect(customer.getByText('We found no payment with this code.')).toBeVisible()
  await expectAccessible(customer)
  await customer.goto(`/invoice/${number}`)
  await expect(customer.getByText('We found no payment with this code.')).toBeVisible()
  await customer
    .getByRole('link', { name: /Pay Now/ })
    .first()
    .click()
  await customer.getByLabel('Confirmation code').fill(`RIGHT-${Date.now()}`)
  await customer.getByRole('button', { name: 'Submit Payment' }).click()
  await expect(customer.getByRole('heading', { name: 'Awaiting Approval' })).toBeVisible()

  const again = await openDialog(admin, number)
  await expect(again.getByText('“We found no payment with this code.')).toBeVisible()
  await again.getByRole('button', { name: 'Confirm Payment' }).click()
  await expect(again).toBeHidden()
  await expect(customer.getByRole('heading', { name: 'Payment confirmed' })).toBeVisible()
})

test('a payment link is pasted, validated, shown to the customer immediately, changed and removed @proof', async ({
  paying,
  admin,
  newPage,
}) => {
  const {
    user,
    page: customer,
    number,
  } = await paying(
    { paymentMethod: 'creditcard', confirmationCode: undefined, paymentNote: undefined },
    await newPage(),
  )
  await customer.goto(`/checkout?invoiceNumber=${number}`)
  await expect(customer.getByText('Connected: the approval will appear here immediately.')).toBeVisible()

  const dialog = await openDialog(admin, number)
  const field = dialog.getByLabel('Secure payment link')
  await expect(field).toHaveAccessibleDescription(new RegExp(user.email))
  await field.fill('http://pay.example/1')
  await dialog.getByRole('button', { name: 'Save and Send Link' }).click()
  await expect(field).toHaveAccessibleDescription(/starts with https/)
  await field.fill('https://pay.example/session/1')
  await field.press('Enter')
  await expect(admin.locator('.toast')).toContainText(`It was emailed to ${user.email}`)
  await expect(customer.getByRole('link', { name: /Open Secure Payment Page/ })).toHaveAttribute(
    'href',
    'https://pay.example/session/1',
  )

  await dialog.getByLabel('Secure payment link').fill('https://pay.example/session/2')
  await dialog.getByRole('button', { name: 'Change and Send Link' }).click()
  await expect(customer.getByRole('link', { name: /Open Secure Payment Page/ })).toHaveAttribute(
    'href',
    'https://pay.example/session/2',
  )
  await dialog.getByRole('button', { name: 'Remove Link' }).click()
  await expect(customer.getByRole('link', { name: /Open Secure Payment Page/ })).toBeHidden()
  await expect(admin.locator('.toast')).toContainText('no longer has a payment link')
  // Each link edit changed the invoice. The dialog has the latest version, so confirming is not refused as outdated.
  await dialog.getByRole('button', { name: 'Confirm Payment' }).click()
  await expect(dialog).toBeHidden()
})

test('payments are reviewed, flagged ones individually, and confirmed together @proof', async ({ paying, admin }) => {
  const clear = await paying()
  const doubtful = await paying({ confirmationCode: '' })
  const code = randomUUID()
  const first = await paying({ confirmationCode: code })
  const similar = await paying({ confirmationCode: `${code}7`, paymentMethod: 'venmo' })
  const ignored = await paying({ paymentNote: 'for the pizza' })
  const gone = await paying()
  await admin.goto('/admin?tab=invoices&status=pending&pageSize=100')
  for (const { number } of [clear, doubtful, similar, ignored, gone])
    await admin.getByRole('checkbox', { name: new RegExp(number) }).check()
  await admin.getByRole('button', { name: 'Confirm Payments' }).click()

  const dialog = admin.getByRole('dialog', { name: 'Confirm Payments' })
  const rowOf = ({ number }: Submitted) => dialog.getByRole('listitem').filter({ hasText: number })
  await expect(rowOf(doubtful).getByText('No code')).toBeVisible()
  await expect(rowOf(ignored).getByText('Different note')).toBeVisible()
  await expect(rowOf(similar).getByText(`Code similar to ${first.number}`)).toBeVisible()
  for (const flagged of [doubtful, similar]) await expect(rowOf(flagged).getByRole('checkbox')).not.toBeChecked()
  await expect(rowOf(clear).getByRole('checkbox')).toBeChecked()
  await expect(dialog.getByRole('status')).toContainText('2 payments')
  for (const flagged of [doubtful, similar]) await rowOf(flagged).getByRole('checkbox').check()
  await expect(dialog.getByRole('status')).toContainText('4 payments')
  await expectAccessible(admin)

  // Another administrator decides about one of the payments first, and this page is not notified in time.
  await admin.route('**/api/admin/invoices/confirm', async (route) => {
    await decideOrder(admin, gone.number, 'cancelled')
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Confirm 4 Payments' }).click()
  await expect(rowOf(clear).getByText('Confirmed', { exact: true })).toBeVisible()
  for (const flagged of [doubtful, similar])
    await expect(rowOf(flagged).getByText('Confirmed', { exact: true })).toBeVisible()
  await expect(rowOf(ignored).getByText('Skipped')).toBeVisible()
  await expect(rowOf(gone)).toContainText(/Not confirmed: admin changed it first.*this invoice is now cancelled/s)
  await expect(admin.locator('.toast')).toContainText(/Some payments were not confirmed.*3 of 4 payments confirmed/s)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByRole('button', { name: `Confirm Payment ${ignored.number}`, exact: true })).toBeVisible()
})

test('a running bulk confirmation shows progress and does not mistake its own changes for those of others @proof', async ({
  paying,
  admin,
}) => {
  const orders: Submitted[] = []
  for (let n = 0; n < 12; n++) orders.push(await paying())
  await admin.goto('/admin?tab=invoices&status=pending&pageSize=100')
  for (const { number } of orders) await admin.getByRole('checkbox', { name: new RegExp(number) }).check()
  await admin.getByRole('button', { name: 'Confirm Payments' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Confirm Payments' })

  const isSeen = Promise.withResolvers<void>()
  let requests = 0
  await admin.route('**/api/admin/invoices/confirm', async (route) => {
    if (requests++ > 0) await isSeen.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Confirm 12 Payments' }).click()
  await expect(dialog.getByRole('status')).toContainText('10 of 12 payments done')
  await expect(dialog.getByText('Confirmed', { exact: true })).toHaveCount(10)
  await expect(dialog.getByText('Waiting', { exact: true })).toHaveCount(2)
  // The list behind the dialog no longer shows the ten payments as pending, but their rows stay in the dialog.
  await expect(
    admin
      .getByRole('button', { name: /^Confirm Payment ORD/, includeHidden: true })
      .filter({ hasText: orders[0]!.number }),
  ).toHaveCount(0)
  await expect(dialog.getByText('Skipped because')).toBeHidden()
  await expect(dialog.getByRole('button', { name: /^Confirm/ })).toBeHidden()
  isSeen.resolve()
  await expect(dialog.getByText('Confirmed', { exact: true })).toHaveCount(12)
  await expect(dialog.getByText('12 of 12 payments confirmed.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
})

test('an interrupted bulk confirmation lists payments without a response and can continue after a reload @proof', async ({
  paying,
  admin,
  allowPageError,
}) => {
  allowPageError(/503/)
  const orders: Submitted[] = []
  for (let n = 0; n < 11; n++) orders.push(await paying())
  await admin.goto('/admin?tab=invoices&status=pending&pageSize=100')
  for (const { number } of orders) await admin.getByRole('checkbox', { name: new RegExp(number) }).check()
  await admin.getByRole('button', { name: 'Confirm Payments' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Confirm Payments' })
  let requests = 0
  await admin.route('**/api/admin/invoices/confirm', (route) =>
    ++requests === 2
      ? route.fulfill({ status: 503, json: { message: 'The server is busy', code: 'busy' } })
      : route.continue(),
  )
  await dialog.getByRole('button', { name: 'Confirm 11 Payments' }).click()
  await expect(dialog.getByText('10 of 11 payments confirmed.')).toBeVisible()
  await expect(dialog.getByText('No response. Reload to see whether it was confirmed.')).toHaveCount(1)
  await expect(dialog.getByRole('alert')).toContainText('The server is busy')
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(dialog.getByText('Skipped because this invoice is not pending.')).toHaveCount(10)
  await dialog.getByRole('button', { name: 'Confirm 1 Payment' }).click()
  await expect(dialog.getByText('1 of 1 payment confirmed.')).toBeVisible()
})

test('several payments are confirmed with only the keyboard @proof', async ({ paying, admin }) => {
  const orders = [await paying(), await paying()]
  await admin.goto('/admin?tab=invoices&status=pending&pageSize=100')
  for (const { number } of orders) {
    const box = admin.getByRole('checkbox', { name: new RegExp(number) })
    await box.focus()
    await admin.keyboard.press('Space')
    await expect(box).toBeChecked()
  }
  // Tab moves on from the last row to the button in the bar.
  const confirm = admin.getByRole('button', { name: 'Confirm Payments' })
  for (let i = 0; i < 300 && !(await confirm.evaluate((button) => button === document.activeElement)); i++)
    await admin.keyboard.press('Tab')
  await expect(confirm).toBeFocused()
  await admin.keyboard.press('Enter')
  const dialog = admin.getByRole('dialog', { name: 'Confirm Payments' })
  const send = dialog.getByRole('button', { name: 'Confirm 2 Payments' })
  await expect(send).toBeVisible()
  for (let i = 0; i < 20 && !(await send.evaluate((button) => button === document.activeElement)); i++)
    await admin.keyboard.press('Tab')
  await admin.keyboard.press('Enter')
  await expect(dialog.getByText('Confirmed', { exact: true })).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Done' }).focus()
  await admin.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  // The bar disappears with the selection, so the list gets the focus.
  await expect(admin.getByRole('region', { name: 'Invoices' })).toBeFocused()
  for (const { number } of orders)
    await expect(admin.getByRole('button', { name: `Confirm Payment ${number}` })).toBeHidden()
})

test('the list is filtered by payment method, which the URL keeps, and exported with the filter @proof', async ({
  paying,
  admin,
}) => {
  const { number } = await paying({ paymentMethod: 'venmo' })
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  await expect(admin.getByText(/^waiting /)).toBeVisible()
  await methodFilter(admin).selectOption('venmo')
  await expect(admin).toHaveURL(/paymentMethod=venmo/)
  await expect(admin.getByRole('row', { name: number })).toBeVisible()
  await expect(admin.getByRole('link', { name: 'Export CSV' })).toHaveAttribute(
    'href',
    new RegExp(`invoices.csv.*${number}.*paymentMethod=venmo|invoices.csv.*paymentMethod=venmo.*${number}`),
  )
  await methodFilter(admin).selectOption('creditcard')
  await expect(admin.getByText('No invoices match')).toBeVisible()
  await admin.reload()
  await expect(methodFilter(admin)).toHaveValue('creditcard')
})

test('undoing a payment previews its effects @proof', async ({ register, newCaller, admin }) => {
  const referrer = await register({}, await newCaller())
  const { referralCode } = (await (await referrer.page.request.get('/api/referrals/my-code')).json()) as {
    referralCode: string
  }
  const customer = await register({ referralCode }, await newCaller())
  const order = await openOrder(customer.page)
  await submitOrder(customer.page, order, { paymentMethod: 'cashapp' })
  await decideOrder(admin, order.invoiceNumber, 'paid')

  const dialog = await openDialog(admin, order.invoiceNumber, 'Manage')
  await expect(dialog.getByText('Confirmed by admin')).toBeVisible()
  await dialog.getByLabel('Status').selectOption('cancelled')
  await dialog.getByRole('button', { name: 'Update Status' }).click()
  const question = admin.getByRole('alertdialog')
  await expect(question.getByText(/^Subscription:/)).toContainText('none')
  await expect(question.getByText(`for ${referrer.username}: referral bonus`)).toBeVisible()
  await question.getByRole('button', { name: 'Reverse payment' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByRole('button', { name: `Manage ${order.invoiceNumber}`, exact: true })).toBeFocused()
})

inEachLook({ height: 900 }, () => {
  test('evidence, rejection and bulk confirmation are accessible @proof', async ({ paying, admin }, info) => {
    const confirmationCode = `axe-${Date.now()}`
    await paying({ confirmationCode })
    const { number } = await paying({ confirmationCode, paymentNote: 'for the pizza' })
    const card = await paying({ paymentMethod: 'creditcard' })
    const look = async (name: string) => {
      await expectAccessible(admin)
      await savePicture(admin, info, name)
    }
    const dialog = await openDialog(admin, number)
    await dialog.getByText('Same confirmation code').waitFor()
    await look('evidence')
    await dialog.getByText('Earlier payments').scrollIntoViewIfNeeded()
    await savePicture(admin, info, 'evidence-below')
    await dialog.getByRole('button', { name: 'Reject Payment' }).click()
    await admin.getByRole('dialog', { name: 'Reject Payment' }).waitFor()
    await look('rejection')
    const other = await openDialog(admin, card.number)
    await other.getByLabel('Secure payment link').scrollIntoViewIfNeeded()
    await look('link')
    await admin.goto('/admin?tab=invoices&status=pending')
    await admin
      .getByRole('checkbox', { name: /Select all/ })
      .first()
      .check()
    await look('list')
    await admin.getByRole('button', { name: 'Confirm Payments' }).click()
    await admin.getByRole('dialog', { name: 'Confirm Payments' }).getByRole('checkbox').first().waitFor()
    await look('several')
  })
})
