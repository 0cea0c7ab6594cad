import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Caller, expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { adminName, adminPassword } from '../test/harness/browser-apps.ts'
import { inEachLook } from '../test/harness/looks.ts'

type Order = { number: string; username: string }
const test = journey.extend<{ pay: (method?: 'cashapp' | 'creditcard') => Promise<Order> }>({
  pay: async ({ app, register, newCaller }, use) => {
    await use(async (paymentMethod = 'cashapp') => {
      const { page, username, email } = await register({}, await newCaller())
      const send = async (on: Caller, path: string, data: object) =>
        (await on.request.post(path, { data, headers: { origin: app.url } })).json()
      const [plan] = (await (await page.request.get('/api/plans')).json()) as { id: number }[]
      const order = { planId: plan!.id, email }
      const { invoiceNumber } = (await send(page, '/api/create-invoice', order)) as { invoiceNumber: string }
      const isCard = paymentMethod === 'creditcard'
      await send(page, '/api/submit-payment', {
        ...order,
        invoiceNumber,
        paymentMethod,
        confirmationCode: isCard ? '' : `#${username}`,
        paymentNote: isCard ? '' : `SAUCE: ${invoiceNumber}`,
      })
      return { number: invoiceNumber, username }
    })
  },
})

// Uses its own app: open work left by other specs would push the order of this test out of the queue.
test.use({ environment: { JOURNEYS: 'overview' } })

const rowOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) })
const statusOf = async (page: Page, number: string) =>
  ((await (await page.request.get(`/api/admin/invoices?search=${number}`)).json()) as { status: string }[])[0]?.status

test('after the login a payment is confirmed and undone with the keyboard @proof', async ({ page, pay }) => {
  const { number, username } = await pay()
  await pay()
  const title = `Payment from ${username}`
  await page.goto('/auth?redirect=/admin/overview')
  await page.getByLabel('Username').fill(adminName)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/overview')

  const row = rowOf(page, title)
  const confirm = row.getByRole('button', { name: /^Confirm \$/ })
  await confirm.waitFor()
  // Into the list with Tab, then down to the row with J.
  await page.getByRole('heading', { name: 'Needs you' }).focus()
  while (!(await page.evaluate(() => document.activeElement?.matches('.queue-action'))))
    await page.keyboard.press('Tab')
  for (let presses = 0; presses < 60; presses++) {
    if (await confirm.evaluate((button) => button === document.activeElement)) break
    await page.keyboard.press('j')
  }
  await expect(confirm).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row.getByText('Done')).toBeVisible()
  // The focus moves on to another entry.
  await expect(page.locator('.queue-action:focus')).toBeVisible()
  expect(await statusOf(page, number)).toBe('paid')

  await page.locator('.toast').getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(row.getByRole('button', { name: /^Confirm \$/ })).toBeVisible()
  expect(await statusOf(page, number)).toBe('pending')
})

test('after the login three key presses confirm a payment that matches an order exactly', async ({
  app,
  page,
  pay,
  adminCaller,
}) => {
  const { number } = await pay()
  const [order] = (await (await adminCaller.request.get(`/api/admin/invoices?search=${number}`)).json()) as {
    amount: number
  }[]
  const data = {
    ...{ requestKey: randomUUID(), rail: 'cashapp', amount: order!.amount, payerName: 'Kay Board', payerHandle: '' },
    ...{ note: `SAUCE: ${number}`, paidAt: new Date().toISOString(), providerReference: '' },
  }
  const recorded = await adminCaller.request.post('/api/admin/payments', { data, headers: { origin: app.url } })
  expect(recorded.ok(), await recorded.text()).toBe(true)
  await page.goto('/auth')
  await page.getByLabel('Username').fill(adminName)
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/overview')
  await expect(page.getByText('1 payment matches exactly.')).toBeVisible()

  await page.keyboard.press('Control+k')
  const action = page.getByRole('option', { name: /^Confirm 1 payment that matches exactly/ })
  await expect(action).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm 1 payment?' })
  await expect(dialog).toContainText('Kay Board')
  const confirm = dialog.getByRole('button', { name: /^Confirm 1, \$/ })
  await expect(confirm).toBeFocused()
  await expect(confirm).toHaveAttribute('aria-disabled', 'false')
  await expect(dialog.getByText(/^New, ends /)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.locator('.toast')).toContainText('1 payment confirmed')
  await expect(dialog).toBeHidden()
  expect(await statusOf(page, number)).toBe('paid')
})

inEachLook({ height: 844, widths: [390] }, () => {
  test('a card payment link is sent from the queue, and the queue is accessible and updates live', async ({
    page,
    signInAdmin,
    pay,
  }) => {
    await signInAdmin(page)
    const live = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
    await page.goto('/admin/overview')
    await live
    const { number, username } = await pay('creditcard')
    const row = rowOf(page, `Card link for ${username}`)
    await row.getByRole('button', { name: 'Send Link' }).click()
    const field = row.getByLabel('Secure payment link')
    await field.fill('pay.example')
    await field.press('Enter')
    await expect(field).toHaveAccessibleDescription(/Please enter an address that starts with https/)
    await expectAccessible(page)
    await field.fill('https://pay.example/1')
    await field.press('Enter')
    // The order returns to the queue as a payment to check.
    await expect(page.getByRole('link', { name: `Payment from ${username}`, exact: true })).toBeVisible()
    await expect(page.getByText(number).first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  })
})
