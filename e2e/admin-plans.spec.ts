import type { Locator, Page } from '@playwright/test'
import { inAppDatabase, notifyCatalog } from '../test/harness/app-database.ts'
import { expect, test } from '../test/harness/browser.ts'

/** The row of an entry, found by its Edit button. */
const rowOf = (page: Page, name: string): Locator =>
  page.locator('li.entry').filter({ has: page.getByRole('button', { name: `Edit ${name}`, exact: true }) })
const editOf = (page: Page, name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog')

test('a plan is added, edited, hidden and deleted, and visitors see each change immediately', async ({
  page,
  newPage,
  signInAdmin,
  data,
}) => {
  const admin = await signInAdmin(page)
  const visitor = await newPage()
  const cards = visitor.locator('.plans').first()
  const visitTwice = async () => {
    // Opens the page twice: the second response comes from the cache for visitors.
    await visitor.goto('/pricing?tier=little-beast')
    await visitor.goto('/pricing')
  }
  await visitTwice()
  await expect(cards).not.toContainText('6 Connections')

  await admin.goto('/admin')
  await admin.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Catalog' }).click()
  await admin.getByRole('button', { name: 'Add Plan' }).click()
  const dialog = dialogOf(admin)
  await dialog.getByLabel('Connections').fill('6')
  await expect(dialog.getByText('Little Beast: 6 Connections')).toBeVisible()
  await dialog.getByLabel('Price per month').fill('free')
  await dialog.getByRole('button', { name: 'Add plan' }).click()
  await expect(
    dialog.getByRole('alert').getByRole('link', { name: 'Please enter a price such as 14.99' }),
  ).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Please enter the feature or remove it' })).toBeVisible()
  await dialog.getByLabel('Price per month').fill('44.50')
  await dialog.getByRole('textbox', { name: 'Feature 1', exact: true }).fill('Six screens at once')
  await dialog.getByRole('button', { name: 'Add plan' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.getByText('Plan added', { exact: true })).toBeVisible()
  await visitTwice()
  await expect(cards).toContainText('6 Connections')
  await expect(cards).toContainText('Six screens at once')

  // Features are reordered by keyboard; the next visitor sees the new price.
  await editOf(admin, 'Little Beast: 6 Connections').click()
  await dialog.getByLabel('Price per month').fill('42')
  await dialog.getByRole('button', { name: 'Add feature' }).click()
  await admin.keyboard.type('A second feature')
  await admin.keyboard.press('Alt+ArrowUp')
  await expect(dialog.getByRole('textbox', { name: 'Feature 1', exact: true })).toBeFocused()
  await expect(dialog.getByRole('textbox', { name: 'Feature 1', exact: true })).toHaveValue('A second feature')
  await dialog.getByLabel('Popular Choice').check()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(editOf(admin, 'Little Beast: 6 Connections')).toBeFocused()
  await expect(rowOf(admin, 'Little Beast: 6 Connections')).toContainText('Popular Choice')
  await expect(rowOf(admin, 'Little Beast: 2 Connections')).not.toContainText('Popular Choice')
  await visitTwice()
  await expect(cards.getByRole('listitem').filter({ hasText: '6 Connections' }).first()).toContainText('Popular Choice')
  await expect(visitor.getByRole('link', { name: /6 connections, \$42\.00/i })).toBeVisible()
  // The administrator sees the change too, although the browser caches public lists for a minute.
  await admin.getByRole('button', { name: 'account menu' }).click()
  await admin.getByRole('link', { name: 'View Site' }).click()
  await admin.getByRole('link', { name: 'Pricing' }).first().click()
  await expect(admin.getByRole('link', { name: /6 connections, \$42\.00/i })).toBeVisible()
  await admin.goBack()
  await admin.goBack()

  await admin.getByRole('button', { name: 'Hide Little Beast: 6 Connections' }).click()
  await expect(rowOf(admin, 'Little Beast: 6 Connections')).toContainText('Hidden')
  await visitTwice()
  await expect(cards).toContainText('5 Connections')
  await expect(cards).not.toContainText('6 Connections')

  await editOf(admin, 'Little Beast: 6 Connections').click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  const question = admin.getByRole('alertdialog', { name: 'Delete Little Beast: 6 Connections?' })
  await question.getByRole('button', { name: 'Delete plan' }).click()
  await expect(rowOf(admin, 'Little Beast: 6 Connections')).toBeHidden()
  await expect(admin.getByRole('button', { name: 'Add Plan' })).toBeFocused()
  // Restores the popular plan for later specs that use the same app.
  await inAppDatabase(data, async (client) => {
    await client.query(`UPDATE plans SET popular = true WHERE name = 'Little Beast: 2 Connections'`)
    await notifyCatalog(client)
  })
})

test('the tabs do not move when the note about sample content appears above them', async ({ page, signInAdmin }) => {
  const admin = await signInAdmin(page)
  await admin.goto('/admin')
  await admin.route('**/api/admin/sample-content', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  await admin.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Catalog' }).click()
  const first = admin.getByRole('tab', { name: 'Plans' })
  await expect(first).toBeVisible()
  const appeared = await first.boundingBox()
  await expect(admin.getByRole('button', { name: 'Remove Sample Content' })).toBeVisible()
  expect(await first.boundingBox()).toEqual(appeared)
})
