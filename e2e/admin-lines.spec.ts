import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { looks } from '../test/harness/looks.ts'
import { configurePanel } from './configure-panel.ts'
import { buyPlan } from './order.ts'

const test = journey.extend<{ admin: Page }>({
  admin: async ({ page, signInAdmin }, use) => use(await signInAdmin(page)),
})
test.use({ environment: { JOURNEYS: 'lines' } })
test.describe.configure({ mode: 'serial' })

const rowOf = (admin: Page, text: string): Locator => admin.getByRole('row').filter({ hasText: text })
const nav = (admin: Page) => admin.getByRole('navigation', { name: 'Administration' })

async function expectAccessibleInEachLook(page: Page): Promise<void> {
  for (const { colorScheme, width } of looks()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('manual provisioning: a confirmed payment adds a task, the administrator marks it as done, and the customer sees the entered line @proof', async ({
  admin,
  register,
  newPage,
}) => {
  const { page } = await register({ username: 'by-hand' }, await newPage())
  await admin.goto('/admin/lines')
  await expect(admin.getByText('Manual provisioning')).toBeVisible()
  await expect(admin.getByRole('link', { name: 'Connect a panel' })).toHaveAttribute(
    'href',
    '/admin/settings?section=provisioning',
  )
  await buyPlan(page, admin)
  const row = rowOf(admin, 'by-hand')
  await expect(row).toContainText('Needs you')
  await expect(nav(admin).getByRole('link', { name: /^Lines ?, 1 waiting/ })).toBeVisible()
  await expectAccessibleInEachLook(admin)
  await row.getByRole('button', { name: /^Open job/ }).click()
  const dialog = admin.getByRole('dialog', { name: 'Line of by-hand' })
  await expect(dialog).toContainText('Do this in your panel')
  await expect(dialog).toContainText('2 connections')
  await expect(dialog.getByRole('link', { name: 'by-hand' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await expectAccessibleInEachLook(admin)
  await page.goto('/dashboard?tab=iptv')
  await expect(page.getByRole('region', { name: 'Your line' })).toContainText('Our team is creating your TV login')
  await dialog.getByLabel('Username of the line').fill('made-by-hand')
  await dialog.getByRole('button', { name: 'Mark as done' }).click()
  await expect(dialog.getByLabel('Password of the line')).toHaveAccessibleDescription(/both/)
  await dialog.getByLabel('Password of the line').fill('By-Hand/4711')
  await dialog.getByRole('button', { name: 'Mark as done' }).click()
  await expect(row).toContainText('Done')
  await expect(nav(admin).getByRole('link', { name: 'Lines', exact: true })).toBeVisible()
  const card = page.getByRole('region', { name: 'Your line' })
  await expect(card).toContainText('made-by-hand')
  await card.getByRole('button', { name: 'Reveal password' }).click()
  await expect(card).toContainText('By-Hand/4711')
})

test('with a panel: the line appears on the customer’s open page automatically, with its password on request', async ({
  admin,
  register,
  newPage,
  panel,
}) => {
  await configurePanel(admin, panel.lines.address)
  const { page } = await register({ username: 'olive-line' }, await newPage())
  await page.goto('/dashboard?tab=iptv')
  await buyPlan(page, admin)
  const card = page.getByRole('region', { name: 'Your line' })
  await expect(card).toContainText('Active')
  const [made] = [...panel.lines.rows.values()]
  await expect(card).toContainText(made!.username!)
  await expect(card).not.toContainText(made!.password!)
  expect(await page.content()).not.toContain(made!.password!)
  await card.getByRole('button', { name: 'Reveal password' }).click()
  await expect(card).toContainText(made!.password!)
  await expectAccessibleInEachLook(page)
  await card.getByRole('button', { name: 'Hide password' }).click()
  await expect(card).not.toContainText(made!.password!)

  await admin.goto('/admin/lines?search=olive-line')
  await expect(rowOf(admin, 'olive-line')).toContainText('Done')
  await rowOf(admin, 'olive-line').getByRole('link', { name: 'olive-line' }).click()
  const line = admin.getByRole('region', { name: 'Line', exact: true })
  await expect(line).toContainText(made!.username!)
  await expect(admin.getByRole('region', { name: 'Timeline' })).toContainText(`Line ${made!.username!} created`)
  await expectAccessibleInEachLook(admin)
})

test('a difference from the panel is found and resolved with one button @proof', async ({ admin, panel }) => {
  const [ref, made] = [...panel.lines.rows.entries()][0]!
  panel.lines.rows.set(ref, { ...made, enabled: '0' })
  await admin.goto('/admin/lines')
  await admin.getByRole('button', { name: 'Compare now' }).click()
  const difference = admin
    .getByRole('list', { name: 'Differences' })
    .getByRole('listitem')
    .filter({ hasText: 'olive-line' })
  await expect(difference).toContainText('Enabled state differs')
  await expectAccessibleInEachLook(admin)
  await difference.getByRole('button', { name: /^Apply our state/ }).click()
  await expect(difference).toHaveCount(0)
  await expect.poll(() => panel.lines.rows.get(ref)!.enabled).toBe('1')
})

test('lines that the panel has lost are repaired together after a preview @proof', async ({
  admin,
  register,
  newCaller,
  panel,
}) => {
  const { page } = await register({ username: 'second-line' }, await newCaller())
  await buyPlan(page, admin)
  await expect.poll(() => panel.lines.rows.size).toBe(2)
  const before = [...panel.lines.rows.values()].map(({ username }) => username).toSorted()
  panel.lines.rows.clear()
  await admin.goto('/admin/lines')
  await admin.getByRole('button', { name: 'Compare now' }).click()
  // The manual line is not on this panel either.
  await admin.getByRole('button', { name: 'Repair 3 Together' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Repair Lines' })
  await expect(dialog.getByLabel('2 lines: recreate the line')).toBeChecked()
  await expect(dialog.getByText('Affected customers: by-hand, olive-line, second-line.')).toBeVisible()
  await expectAccessibleInEachLook(admin)
  await dialog.getByLabel('2 lines: recreate the line').uncheck()
  await dialog.getByLabel('1 line: create the line').uncheck()
  await expect(dialog.getByRole('button', { name: 'Repair Lines' })).toBeDisabled()
  await dialog.getByLabel('2 lines: recreate the line').check()
  await dialog.getByRole('button', { name: 'Repair 2 Lines' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.locator('.toast')).toContainText('2 lines queued')
  await expect.poll(() => [...panel.lines.rows.values()].map(({ username }) => username).toSorted()).toEqual(before)
  await expect(admin.getByRole('button', { name: /Together$/ })).toHaveCount(0)
})

test('a trial line is created with a button; the administrator checks and confirms it @proof', async ({
  admin,
  register,
  newPage,
  panel,
}) => {
  const { page } = await register({ username: 'trial-fig' }, await newPage())
  const { origin } = new URL((await page.request.get('/api/site')).url())
  await page.request.post('/api/trial-requests', {
    data: { device: 'Television', message: 'I would like to try it.' },
    headers: { origin },
  })
  await admin.goto('/admin?tab=trials')
  await admin
    .getByRole('button', { name: /trial-fig|request/i })
    .filter({ hasText: /View|Manage|Review/ })
    .first()
    .click()
  const dialog = admin.getByRole('dialog', { name: 'Manage Trial Request' })
  await dialog.getByRole('button', { name: 'Create trial line, 24 hours' }).click()
  await expect(dialog.getByText('The panel has created the line')).toBeVisible()
  const made = [...panel.lines.rows.values()].at(-1)!
  await expect(dialog.getByLabel('Trial Username')).toHaveValue(made.username!)
  await expect(dialog.getByLabel('Status')).toHaveValue('approved')
  await expectAccessibleInEachLook(admin)
  await dialog.getByRole('button', { name: 'Update Request' }).click()
  await expect(dialog).toBeHidden()
  await page.goto('/request-trial')
  await expect(page.getByText('Your trial credentials')).toBeVisible()
})
