import { randomUUID } from 'node:crypto'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

test('by keyboard: upload customers, name the columns, look at the refused row, create them, then undo the import', async ({
  page,
  signInAdmin,
  pageErrors,
}) => {
  // A refused file.
  pageErrors.expect(/400 .*api\/admin\/imports/)
  const admin = await signInAdmin(page)
  const tag = randomUUID().slice(0, 6)
  const name = `moved-${tag}.csv`
  const text = [
    `Address ${tag},Login,Balance`,
    `ana-${tag}@moved.example,ana-${tag},12.50`,
    `ben-${tag}@moved.example,ben-${tag},`,
    `no address,cy-${tag},1`,
  ].join('\n')
  await admin.goto('/admin/settings')
  await admin.getByRole('link', { name: 'Import' }).first().press('Enter')
  await expect(admin.getByRole('heading', { level: 1, name: 'Import' })).toBeVisible()
  await admin.getByLabel('Choose File').setInputFiles(fileOf('a.pdf', '%PDF-1.7'))
  await expect(admin.getByRole('alert')).toContainText('This is not a text file.')
  await admin.getByLabel('Choose File').setInputFiles(fileOf(name, text))
  const columns = admin.getByRole('form', { name: 'Columns of the file' })
  await expect(columns.getByLabel('Account credit')).toHaveValue('Balance')
  await columns.getByRole('button', { name: 'Check File' }).press('Enter')
  await expect(columns.getByText('Please choose the column of the email address')).toBeVisible()
  await columns.getByLabel('Email address').selectOption(`Address ${tag}`)
  await expectAccessible(admin)
  await columns.getByRole('button', { name: 'Check File' }).press('Enter')

  await expect(admin.getByText('3 rows: 2 will be created, 1 refused. In total: $12.50 of credit')).toBeVisible()
  await admin.getByRole('tab', { name: 'All' }).press('End')
  const rows = admin.getByRole('tabpanel')
  await expect(rows).toContainText('Refused: The email address is not valid')
  await expect(rows).not.toContainText(`ana-${tag}`)
  await expectAccessible(admin)

  await admin.getByRole('button', { name: 'Create 2 Customers' }).press('Enter')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Create' }).press('Enter')
  await expect(admin.getByText('3 rows: 2 created, 1 refused.')).toBeVisible()
  await admin.getByRole('tab', { name: 'All' }).press('Home')
  await admin.getByRole('link', { name: `ana-${tag}` }).press('Enter')
  await expect(admin.getByText('Imported from another system')).toBeVisible()

  await admin.goto('/admin/import')
  await admin.getByRole('button', { name: `Open ${name}` }).press('Enter')
  await admin.getByRole('button', { name: 'Undo Import' }).press('Enter')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Undo Import' }).press('Enter')
  await expect(admin.getByText('3 rows: 1 refused, 2 removed.')).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Undo Import' })).toBeHidden()
})
