import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { openOrder, submitOrder } from './order.ts'

const header =
  '"Transaction ID","Date","Transaction Type","Currency","Amount","Fee","Net Amount","Status","Notes","Name of sender/receiver"'
const line = (amount: string, note: string, name: string) =>
  `"${randomUUID().slice(0, 12)}","2026-11-19 09:02:11 EST","Received P2P","USD","${amount}","$0","${amount}","PAYMENT DEPOSITED","${note}","${name}"`
const fileOf = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from([header, ...lines].join('\n')),
})
/** The button above the desk. A desk without payments has a second button with this name. */
const uploadButton = (admin: Page) => admin.getByRole('button', { name: 'Upload Statement' }).first()

test('by keyboard: upload a statement, review its rows, record the payments, confirm one; then withdraw another statement', async ({
  page,
  register,
  newCaller,
  signInAdmin,
  pageErrors,
}) => {
  // A refused file, and the payment that is shown while its statement is withdrawn.
  pageErrors.expect(/400 .*statements\/preview/)
  pageErrors.expect(/404 .*api\/admin\/payments\/\d+/)
  const customer = (await register({}, await newCaller())).page
  const order = await openOrder(customer)
  await submitOrder(customer, order, { paymentMethod: 'cashapp', paymentNote: order.invoiceNumber })
  const admin = await signInAdmin(page)
  const payer = `Upload ${randomUUID().slice(0, 6)}`
  await admin.goto('/admin/payments')
  const upload = uploadButton(admin)
  await upload.press('Enter')
  const dialog = admin.getByRole('dialog', { name: 'Upload a statement' })
  await expect(dialog.getByLabel('Choose File')).toBeFocused()
  await dialog
    .getByLabel('Choose File')
    .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
  await expect(dialog.getByRole('alert')).toContainText('This is not a text file.')
  const name = `november-${randomUUID().slice(0, 6)}.csv`
  await dialog
    .getByLabel('Choose File')
    .setInputFiles(fileOf(name, line(order.price, `SAUCE: ${order.invoiceNumber}`, payer), line('many', '', payer)))
  await expect(dialog.getByText('2 rows read: 0 already here, 0 not incoming payments')).toBeVisible()
  await expect(dialog.getByText(`Exact match: ${order.invoiceNumber}`)).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByRole('tab', { name: 'New' }).press('ArrowRight')
  await expect(dialog.getByText('The amount cannot be read')).toBeVisible()
  const add = dialog.getByRole('button', { name: 'Add 1 Payment' })
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByLabel('Leave out 1 row that cannot be read').press('Space')
  await add.press('Enter')
  await expect(admin.locator('.toast')).toContainText('1 Payment added')
  await expect(dialog).toBeHidden()

  const row = admin.locator('.payment-row', { hasText: payer })
  await expect(row).toContainText('Exact match')
  await row.focus()
  await expect(admin.getByRole('button', { name: `Confirm ${order.price}` })).toBeVisible()
  await admin.keyboard.press('Enter')
  await expect(admin.locator('.toast', { hasText: `Confirmed: ${order.price} from ${payer}` })).toBeVisible()

  await upload.press('Enter')
  await expect(dialog.getByText('1 decided').first()).toBeVisible()
  const other = `other-${randomUUID().slice(0, 6)}.csv`
  await dialog.getByLabel('Choose File').setInputFiles(fileOf(other, line('$7', 'for TV', payer)))
  await dialog.getByRole('button', { name: 'Add 1 Payment' }).press('Enter')
  await expect(row).toContainText('$7.00')
  await upload.press('Enter')
  await dialog.getByRole('button', { name: `Withdraw ${other}` }).press('Enter')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).press('Enter')
  await expect(dialog.locator('li', { hasText: other })).toContainText('Withdrawn by')
  await admin.keyboard.press('Escape')
  await expect(row).toHaveCount(0)
})

inEachLook({ widths: [390, 1440], height: 900 }, ({ width }) => {
  test('a table with unknown columns is accessible, does not scroll sideways, and is read once its columns are named @proof', async ({
    page,
    signInAdmin,
  }) => {
    const admin = await signInAdmin(page)
    await admin.goto('/admin/payments')
    await uploadButton(admin).click()
    const dialog = admin.getByRole('dialog', { name: 'Upload a statement' })
    const note = randomUUID()
    const buffer = Buffer.from(`Wann;Wer;Zweck ${note.slice(0, 6)};Betrag\n19.11.2026;Ana;${note};31,49\n`)
    await dialog.getByLabel('Choose File').setInputFiles({ name: 'table.csv', mimeType: 'text/csv', buffer })
    await expect(dialog.getByLabel('Decimal sign')).toHaveValue(',')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await expect(dialog.getByText('Please choose the column of the date')).toBeVisible()
    await expectAccessible(admin)
    await dialog.getByLabel('Date', { exact: true }).selectOption('Wann')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await expect(dialog.getByText('Nov 19, 2026')).toBeVisible()
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
})

test('a large statement shows the progress of its upload and then the result @proof', async ({ page, signInAdmin }) => {
  const admin = await signInAdmin(page)
  await admin.goto('/admin/payments')
  await uploadButton(admin).click()
  const dialog = admin.getByRole('dialog', { name: 'Upload a statement' })
  const network = await admin.context().newCDPSession(admin)
  const bytesPerSecond = 400_000
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
  const lines = Array.from({ length: 6_000 }, (_, i) => line('$5.00', `note ${i}`, 'A Payer'))
  await dialog.getByLabel('Choose File').setInputFiles(fileOf('large.csv', ...lines))
  const bar = dialog.getByRole('progressbar', { name: 'Uploaded' })
  const percent = async () => Number(await bar.getAttribute('value'))
  await expect.poll(percent, { intervals: [50] }).toBeGreaterThan(10)
  expect(await percent()).toBeLessThan(100)
  await expectAccessible(admin)
  await expect(dialog.getByText('6000 rows read: 0 already here, 0 not incoming payments')).toBeVisible()
})
