import type { Locator, Page } from '@playwright/test'
import { type Caller, type Customer, expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { openInvoiceDialog } from './order.ts'

type Payment = { confirmationCode?: string; paymentMethod?: 'cashapp' | 'venmo' }
type Submitted<On extends Caller = Caller> = { user: Customer<On>; number: string }
/** `paying` registers a customer and submits an order and its payment with the requests of the checkout. */
const test = journey.extend<{
  paying: <On extends Caller = Caller>(overrides?: Payment, on?: On) => Promise<Submitted<On>>
  admin: Page
}>({
  paying: async ({ app, register, newCaller }, use) => {
    await use(async <On extends Caller = Caller>(overrides: Payment = {}, on?: On) => {
      const user = await register({}, on ?? ((await newCaller()) as On))
      const { request } = user.page
      const send = async (path: string, data: object) =>
        (await request.post(path, { data, headers: { origin: app.url } })).json()
      const [plan] = (await (await request.get('/api/plans')).json()) as { id: number }[]
      const planId = plan!.id
      const { invoiceNumber } = (await send('/api/create-invoice', { planId, email: user.email })) as {
        invoiceNumber: string
      }
      const payment = {
        paymentMethod: 'cashapp',
        confirmationCode: '',
        paymentNote: `SAUCE: ${invoiceNumber}`,
        ...overrides,
      }
      expect(await send('/api/submit-payment', { planId, email: user.email, invoiceNumber, ...payment })).toMatchObject(
        { status: 'pending' },
      )
      return { user, number: invoiceNumber }
    })
  },
  admin: async ({ page, signInAdmin }, use) => use(await signInAdmin(page)),
})

/** Opens a page and waits for the first message on its WebSocket; from then on it receives all change events. */
async function openLive(page: Page, address: string): Promise<void> {
  const firstMessage = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
  await page.goto(address)
  await firstMessage
}

/** Sets the status of an invoice as another administrator in another browser. */
async function decideElsewhere(admin: Page, origin: string, invoiceNumber: string, decision: object): Promise<void> {
  const [invoice] = (await (await admin.request.get(`/api/admin/invoices?search=${invoiceNumber}`)).json()) as {
    id: number
  }[]
  expect(
    (await admin.request.put(`/api/admin/invoices/${invoice!.id}`, { data: decision, headers: { origin } })).ok(),
  ).toBe(true)
}

const buttonOf = (admin: Page, does: 'Confirm Payment' | 'Manage', invoiceNumber: string) =>
  admin.getByRole('button', { name: `${does} ${invoiceNumber}`, exact: true })
const dialogOf = (admin: Page) => admin.getByRole('dialog', { name: 'Manage Invoice Status' })
const toastOf = (admin: Page) => admin.locator('.toast')

/** Presses Tab until the element has the focus. */
async function tabTo(element: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await element.evaluate((node) => node === document.activeElement)) return
    await element.page().keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${element}`)
}

test('a payment appears without a reload, is compared and confirmed, and the focus returns to its row', async ({
  paying,
  admin,
  newPage,
}) => {
  await openLive(admin, '/admin?tab=invoices')
  // The list is loaded before the payment.
  await admin.getByText(/^Showing \d+ to/).waitFor()
  await expect(admin.getByRole('tab', { name: 'Invoices' })).toHaveAttribute('aria-selected', 'true')
  const { user: customer, number } = await paying({ confirmationCode: 'C0DE-0001' }, await newPage())

  const today = () => new Date().toISOString().slice(0, 10)
  const before = today()
  await openInvoiceDialog(admin, buttonOf(admin, 'Confirm Payment', number))
  const dialog = dialogOf(admin)
  for (const fact of [customer.username, customer.email, 'Cash App', 'C0DE-0001', `SAUCE: ${number}`])
    await expect(dialog.getByText(fact).first()).toBeVisible()
  await expect(dialog.getByLabel('Status')).toHaveValue('paid')
  await expect(dialog.getByLabel('Payment date')).toHaveValue(new RegExp(`^(${before}|${today()})$`))
  await dialog.getByRole('button', { name: 'Confirm Payment' }).click()

  await expect(dialog).toBeHidden()
  await expect(toastOf(admin)).toContainText('Invoice updated')
  await expect(toastOf(admin)).toContainText(`${number} of ${customer.username} is now paid.`)
  await expect(buttonOf(admin, 'Manage', number)).toBeFocused()
  await customer.page.goto('/dashboard')
  await expect(customer.page.getByText('Active').first()).toBeVisible()
})

test('a payment is confirmed with only the keyboard @proof', async ({ paying, admin }) => {
  const { number } = await paying()
  await admin.goto(`/admin?tab=invoices&search=${number}`)

  await tabTo(buttonOf(admin, 'Confirm Payment', number))
  await admin.keyboard.press('Enter')
  await expect(dialogOf(admin).getByLabel('Status')).toBeFocused()
  await tabTo(dialogOf(admin).getByRole('button', { name: 'Confirm Payment' }))
  await admin.keyboard.press('Enter')

  await expect(buttonOf(admin, 'Manage', number)).toBeFocused()
  await admin.keyboard.press('Enter')
  await expect(dialogOf(admin).getByLabel('Status')).toBeFocused()
  await admin.keyboard.press('Escape')
  await expect(buttonOf(admin, 'Manage', number)).toBeFocused()
})

test('when a filter hides the confirmed row, the focus moves to the list @proof', async ({ paying, admin }) => {
  const { number } = await paying()
  await admin.goto(`/admin?tab=invoices&status=pending&search=${number}`)
  await openInvoiceDialog(admin, buttonOf(admin, 'Confirm Payment', number))
  await dialogOf(admin).getByRole('button', { name: 'Confirm Payment' }).click()

  await expect(admin.getByText('No invoices match')).toBeVisible()
  await expect(admin.getByRole('region', { name: 'Invoices' })).toBeFocused()
})

test('confirming an outdated invoice is refused, keeps the input and reloads the invoice @proof', async ({
  app,
  paying,
  admin,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const { number } = await paying()
  // Without the socket this page is not notified of changes.
  await admin.routeWebSocket('/ws', () => undefined)
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  await openInvoiceDialog(admin, buttonOf(admin, 'Confirm Payment', number))
  const dialog = dialogOf(admin)
  await dialog.getByLabel('Payment date').fill('2026-01-02')
  await decideElsewhere(admin, app.url, number, { status: 'cancelled' })
  await dialog.getByRole('button', { name: 'Confirm Payment' }).click()

  await expect(dialog.getByRole('alert')).toContainText('this invoice is now cancelled. Nothing was changed.')
  await expect(toastOf(admin)).toContainText('Update Failed')
  await expect(dialog.getByLabel('Payment date')).toHaveValue('2026-01-02')

  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(dialog.getByRole('alert')).toBeHidden()
  await expect(dialog.getByLabel('Status')).toHaveValue('cancelled')
  await expect(dialog.getByLabel('Status')).toBeFocused()
  await expect(dialog.getByLabel('Payment date')).toBeHidden()
})

test('an open dialog shows that another administrator decided first @proof', async ({ app, paying, admin }) => {
  const { number } = await paying()
  await openLive(admin, `/admin?tab=invoices&search=${number}`)
  await openInvoiceDialog(admin, buttonOf(admin, 'Confirm Payment', number))
  await decideElsewhere(admin, app.url, number, { status: 'paid' })
  await expect(dialogOf(admin).getByRole('alert')).toContainText(
    'This invoice was changed by admin since you opened it: it is now paid.',
  )
})

test('a duplicate code is flagged in the row and confirmed only with an acknowledgment @proof', async ({
  paying,
  admin,
}) => {
  const confirmationCode = `#TWICE-${Date.now()}`
  await paying({ confirmationCode })
  const { number } = await paying({ confirmationCode: confirmationCode.toLowerCase() })
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  await expect(admin.getByRole('row', { name: number })).toContainText('Code used twice')

  await openInvoiceDialog(admin, buttonOf(admin, 'Confirm Payment', number))
  const dialog = dialogOf(admin)
  await dialog.getByRole('button', { name: 'Confirm Payment' }).click()
  const acknowledge = dialog.getByRole('checkbox')
  await expect(acknowledge).toBeFocused()
  await expect(acknowledge).toHaveAccessibleDescription(
    'Please check the other invoice and acknowledge the repeated code',
  )
  await acknowledge.check()
  await dialog.getByRole('button', { name: 'Confirm Payment' }).click()
  await expect(buttonOf(admin, 'Manage', number)).toBeFocused()
})

test('a similar code of another payment method is flagged with its order and needs an acknowledgment @proof', async ({
  paying,
  admin,
}) => {
  const confirmationCode = `#N3AR-${Date.now()}`
  const { number: other } = await paying({ confirmationCode })
  const { number } = await paying({ confirmationCode: `${confirmationCode}4`, paymentMethod: 'venmo' })
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  await expect(admin.getByRole('row', { name: number })).toContainText(`Code similar to ${other}`)

  await openInvoiceDialog(admin, buttonOf(admin, 'Confirm Payment', number))
  const dialog = dialogOf(admin)
  await expect(dialog.getByText(`differs by one character from the code of ${other}`)).toBeVisible()
  await expect(dialog.getByRole('link', { name: other })).toHaveAttribute('href', `/invoice/${other}`)
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Confirm Payment' }).click()
  const acknowledge = dialog.getByRole('checkbox')
  await expect(acknowledge).toBeFocused()
  await expect(acknowledge).toHaveAccessibleDescription(
    'Please check the other invoice and acknowledge the similar code',
  )
  await acknowledge.check()
  await dialog.getByRole('button', { name: 'Confirm Payment' }).click()
  await expect(buttonOf(admin, 'Manage', number)).toBeFocused()
})

test('undoing a payment names the customer and the effects, and can be canceled @proof', async ({
  app,
  paying,
  admin,
}) => {
  const { user: customer, number } = await paying()
  await decideElsewhere(admin, app.url, number, { status: 'paid' })
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  await buttonOf(admin, 'Manage', number).click()
  const dialog = dialogOf(admin)
  await dialog.getByLabel('Status').selectOption('pending')
  await expect(dialog.getByLabel('Payment date')).toBeHidden()
  await dialog.getByRole('button', { name: 'Update Status' }).click()
  const question = admin.getByRole('alertdialog', { name: `Reverse ${customer.username}'s payment?` })
  await expect(question.getByRole('button', { name: 'Keep as it is' })).toBeFocused()
  await admin.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(dialog.getByLabel('Status')).toHaveValue('pending')

  await dialog.getByRole('button', { name: 'Update Status' }).click()
  await question.getByRole('button', { name: 'Reverse payment' }).click()
  await expect(buttonOf(admin, 'Confirm Payment', number)).toBeFocused()
})

test('a dialog with changes asks before it closes @proof', async ({ paying, admin }) => {
  const { number } = await paying()
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  await openInvoiceDialog(admin, buttonOf(admin, 'Confirm Payment', number))
  const dialog = dialogOf(admin)
  await dialog.getByLabel('Status').selectOption('cancelled')
  await admin.keyboard.press('Escape')
  const question = admin.getByRole('alertdialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByLabel('Status')).toHaveValue('cancelled')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  await expect(buttonOf(admin, 'Confirm Payment', number)).toBeFocused()
})

inEachLook({ height: 900 }, () => {
  test('list, dialog and confirmation are accessible @proof', async ({ paying, admin }) => {
    // Three accessibility checks; each takes seconds on a busy machine.
    test.setTimeout(90_000)
    const { number } = await paying()
    await admin.goto(`/admin?tab=invoices&search=${number}`)
    await buttonOf(admin, 'Confirm Payment', number).waitFor()
    await expectAccessible(admin)

    await openInvoiceDialog(admin, buttonOf(admin, 'Confirm Payment', number))
    await dialogOf(admin).waitFor()
    await expectAccessible(admin)

    await dialogOf(admin).getByLabel('Status').selectOption('cancelled')
    await dialogOf(admin).getByRole('button', { name: 'Update Status' }).click()
    await admin.getByRole('alertdialog').waitFor()
    await expectAccessible(admin)
  })
})
