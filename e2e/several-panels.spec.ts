import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { panelKey } from '../test/harness/fake-lines.ts'
import { startFakePanel } from '../test/harness/fake-panel.ts'
import { looks } from '../test/harness/looks.ts'
import { configurePanel } from './configure-panel.ts'
import { buyPlan } from './order.ts'

// Uses its own app, because the panels of this journey would get the lines of others.
test.use({ environment: { JOURNEYS: 'panels' } })

async function expectAccessibleInEachLook(page: Page): Promise<void> {
  for (const { colorScheme, width } of looks()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Focuses a control and types, as with a keyboard. */
async function typeInto(page: Page, control: Locator, text: string): Promise<void> {
  await control.focus()
  await page.keyboard.type(text)
}
async function pressEnter(page: Page, button: Locator): Promise<void> {
  await button.focus()
  await page.keyboard.press('Enter')
}

test('by keyboard: an administrator adds a panel and moves all lines to it, and the customer keeps watching', async ({
  page,
  panel,
  signInAdmin,
  register,
  newPage,
  allowPageError,
}) => {
  allowPageError(/status of 400/)
  const second = await startFakePanel()
  try {
    const admin = await signInAdmin(page)
    const packages = await configurePanel(admin, panel.lines.address)
    const { page: customer } = await register({ username: 'olive-mover' }, await newPage())
    await buyPlan(customer, admin)
    await expect.poll(() => panel.lines.rows.size).toBe(1)

    await admin.goto('/admin/settings?section=provisioning')
    await pressEnter(admin, admin.getByRole('button', { name: 'Add Panel' }))
    const form = admin.getByRole('dialog', { name: 'Add Panel' })
    await typeInto(admin, form.getByLabel('Name', { exact: true }), 'Second panel')
    await form.getByLabel('Panel type').selectOption('XUI or XC_VM, admin API')
    await typeInto(admin, form.getByLabel('Address of the panel'), second.lines.address)
    await pressEnter(admin, form.getByRole('button', { name: 'Add Panel' }))
    await expect(form.getByLabel('Key', { exact: true })).toBeFocused()
    await expect(form.getByLabel('Key', { exact: true })).toHaveAccessibleDescription(/Please enter the panel’s key/)
    await typeInto(admin, form.getByLabel('Key', { exact: true }), panelKey)
    await pressEnter(admin, form.getByRole('button', { name: 'Test Connection' }))
    await expect(form.getByText('Connected as owner.')).toBeVisible()
    await typeInto(admin, form.getByLabel('Server that customers enter in their app'), second.url)
    await typeInto(admin, form.getByLabel('Little Beast: 1 Connection (optional)'), '7')
    await expectAccessibleInEachLook(admin)
    await pressEnter(admin, form.getByRole('button', { name: 'Add Panel' }))
    const list = admin.getByRole('list', { name: 'Panels' })
    await expect(list).toContainText('Second panel')
    await expectAccessibleInEachLook(admin)
    // A panel with the packages of all plans.
    await setPackages(admin, packages)

    await admin.goto('/admin/lines')
    await pressEnter(admin, admin.getByRole('button', { name: 'Move Lines' }))
    const dialog = admin.getByRole('dialog', { name: 'Move Lines' })
    await expect(dialog).toContainText('1 line is created on the new panel')
    await expect(dialog).toContainText('olive-mover')
    await expect(dialog).toContainText('The server for players differs')
    await expectAccessibleInEachLook(admin)
    await pressEnter(admin, dialog.getByRole('button', { name: 'Move 1 Line' }))
    const moves = admin.getByRole('list', { name: 'Moves' })
    await expect(moves).toContainText('1 moved')
    await expect(moves).toContainText('Done')
    await expectAccessibleInEachLook(admin)
    expect(second.lines.rows.size).toBe(1)
    await customer.goto('/dashboard?tab=iptv')
    await expect(customer.getByRole('region', { name: 'Your line' })).toContainText(second.url)

    await pressEnter(admin, moves.getByRole('button', { name: /^Move Back/ }))
    await expect(moves).toContainText('1 moved back')
    await customer.reload()
    await expect(customer.getByRole('region', { name: 'Your line' })).toContainText(panel.url)
  } finally {
    await second.close()
  }
})

async function setPackages(admin: Page, packages: Record<string, string>): Promise<void> {
  const panels = (await (await admin.request.get('/api/admin/panels')).json()) as { id: number; isMain: boolean }[]
  const { id, isMain: _isMain, ...value } = panels.find(({ isMain }) => !isMain)!
  const { origin } = new URL((await admin.request.get('/api/site')).url())
  const data = { ...value, packages }
  const saved = await admin.request.put(`/api/admin/panels/${id}`, { data, headers: { origin } })
  expect(saved.ok(), await saved.text()).toBe(true)
}
