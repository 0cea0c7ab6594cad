import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

test('invoices from another system: upload, check, import, read as their customer on a phone, undo', async ({
  page,
  newPage,
  signInAdmin,
  register,
  allowPageError,
}) => {
  // A refused file.
  allowPageError(/400 .*api\/admin\/imports/)
  const tag = randomUUID().slice(0, 6)
  const { email, username } = await register()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/invoices')
  await expect(page.getByText('No invoices found')).toBeVisible()
  const earlier = page.getByRole('region', { name: 'Earlier invoices' })
  await expect(earlier).toBeHidden()

  const admin = await signInAdmin(await newPage())
  const name = `invoices-${tag}.csv`
  const months = Array.from(
    { length: 21 },
    (_, n) => `${email},OLD-${n},2023-0${1 + (n % 9)}-15,15.00,Paid,"Gold, 1 month"`,
  )
  const text = [
    `Client Email,Reference ${tag},Date,Total,Status,Description`,
    ...months,
    `${email},OLD-last,2024-02-29,"$1,250.00",Refunded,`,
    `${email},OLD-late,2024-02-30,15.00,Paid,`,
    `stranger-${tag}@example.org,OLD-other,2024-02-01,15.00,Paid,`,
  ].join('\n')
  await admin.goto('/admin/import')
  // The part of the page with the file field handles events only after it has fetched the list.
  await expect(admin.getByText('Loading imports…')).toBeHidden()
  await admin.getByRole('radio', { name: 'Customers' }).focus()
  await admin.keyboard.press('ArrowRight')
  await expect(admin.getByRole('heading', { name: 'Upload invoices' })).toBeVisible()
  await admin.getByLabel('Choose File').setInputFiles(fileOf('a.pdf', '%PDF-1.7'))
  await expect(admin.getByRole('alert')).toContainText('This is not a text file.')
  await admin.getByLabel('Choose File').setInputFiles(fileOf(name, text))
  const columns = admin.getByRole('form', { name: 'Columns of the file' })
  await expect(columns.getByLabel('Email address of the customer')).toHaveValue('Client Email')
  await columns.getByRole('button', { name: 'Check File' }).press('Enter')
  await expect(columns.getByText('Please choose the column of the invoice number')).toBeVisible()
  await columns.getByLabel('Invoice number').selectOption(`Reference ${tag}`)
  await expectAccessible(admin)
  await columns.getByRole('button', { name: 'Check File' }).press('Enter')

  await expect(
    admin.getByText('24 rows: 22 will be created, 2 refused. In total: $1,565.00.', { exact: true }),
  ).toBeVisible()
  await admin.getByRole('tab', { name: 'All' }).press('End')
  const rows = admin.getByRole('tabpanel')
  await expect(rows).toContainText('Refused: The date cannot be read')
  await expect(rows).toContainText('Refused: No customer here has this email address or ID')
  await expect(rows).not.toContainText('OLD-last')
  await expectAccessible(admin)
  await admin.setViewportSize({ width: 390, height: 844 })
  expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await admin.getByRole('button', { name: 'Create 22 Invoices' }).press('Enter')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Create' }).press('Enter')
  await expect(admin.getByText('24 rows: 22 created, 2 refused.')).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Email Customers' })).toBeHidden()

  await page.reload()
  await expect(earlier.getByRole('listitem').first()).toContainText(/OLD-last.*Feb 29, 2024.*\$1,250\.00.*Refunded/)
  await expect(earlier).toContainText('issued in the system that was used before')
  await expect(earlier.getByRole('listitem')).toHaveCount(20)
  await earlier.getByRole('button', { name: 'Show Earlier' }).press('Enter')
  await expect(earlier.getByRole('listitem')).toHaveCount(22)
  await expect(earlier.getByRole('button')).toBeHidden()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await admin.getByRole('tab', { name: 'All' }).press('Home')
  await admin.getByRole('link', { name: username }).first().press('Enter')
  await expect(admin.getByRole('region', { name: 'Earlier invoices' })).toContainText('OLD-last')

  await admin.goto('/admin/import')
  await admin.getByRole('button', { name: `Open ${name}` }).press('Enter')
  await admin.getByRole('button', { name: 'Undo Import' }).press('Enter')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Undo Import' }).press('Enter')
  await expect(admin.getByText('24 rows: 2 refused, 22 removed.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No invoices found')).toBeVisible()
  await expect(earlier).toBeHidden()
})
