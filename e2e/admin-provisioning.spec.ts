import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { panelKey } from '../test/harness/fake-lines.ts'
import { inEachLook } from '../test/harness/looks.ts'

// Uses its own app, because later journeys would read these settings.
test.use({ environment: { JOURNEYS: 'provisioning' } })

const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
async function open(page: Page): Promise<void> {
  await page.goto('/admin/settings?section=provisioning')
  await expect(save(page)).toBeEnabled()
}

test('an administrator connects the panel and chooses packages; the key is never shown again @proof', async ({
  page,
  panel,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 400/)
  const admin = await signInAdmin(page)
  await open(admin)
  await admin.getByLabel('Panel type').selectOption('XUI or XC_VM, admin API')
  await save(admin).click()
  await expect(admin.getByLabel('Address of the panel')).toBeFocused()
  await expect(admin.getByLabel('Address of the panel')).toHaveAccessibleDescription(/Please enter the panel’s address/)
  await admin.getByLabel('Address of the panel').fill(panel.lines.address)
  await save(admin).click()
  await expect(admin.getByLabel('Key', { exact: true })).toHaveAccessibleDescription(/Please enter the panel’s key/)

  await admin.getByLabel('Key', { exact: true }).fill('a wrong one')
  await admin.getByRole('button', { name: 'Test Connection' }).click()
  await expect(admin.getByText('The panel does not accept the key.')).toBeVisible()
  await admin.getByLabel('Key', { exact: true }).fill(panelKey)
  await admin.getByRole('button', { name: 'Test Connection' }).click()
  await expect(admin.getByText('Connected as owner.')).toBeVisible()
  await expect(admin.getByRole('list', { name: 'Packages of the panel' }).getByText('Full, a month')).toBeVisible()

  await admin.getByLabel('Little Beast: 1 Connection').fill('7')
  await admin.getByLabel('Trials').fill('20')
  await admin.getByLabel('Grace days').fill('5')
  await save(admin).click()
  await expect(admin.getByText('Settings saved', { exact: true })).toBeVisible()
  await expect(admin.getByText('A key is set.')).toBeVisible()
  await expect(admin.getByLabel('New key')).toHaveValue('')

  await open(admin)
  await expect(admin.getByLabel('Little Beast: 1 Connection')).toHaveValue('7')
  await expect(admin.getByLabel('Grace days')).toHaveValue('5')
  expect(await admin.content()).not.toContain(panelKey)
  await admin.getByRole('button', { name: 'Test Connection' }).click()
  await expect(admin.getByText('Connected as owner.')).toBeVisible()
})

inEachLook({ height: 900 }, () => {
  test('the section is accessible, also with test results and errors, and nothing scrolls sideways @proof', async ({
    page,
    panel,
    signInAdmin,
    allowPageError,
  }) => {
    test.setTimeout(120_000)
    allowPageError(/status of 400/)
    const admin = await signInAdmin(page)
    await open(admin)
    await admin.getByLabel('Panel type').selectOption('XUI or XC_VM, admin API')
    await admin.getByLabel('Address of the panel').fill(panel.lines.address)
    await admin.getByLabel(/^(Key|New key)/).fill(panelKey)
    await admin.getByRole('button', { name: 'Test Connection' }).click()
    await expect(admin.getByText('Connected')).toBeVisible()
    await admin.getByLabel('Grace days').fill('900')
    await admin.getByLabel('Server that customers enter in their app').fill('nowhere')
    await save(admin).click()
    await admin.getByText('There is a problem').waitFor()
    // From the top, because the sticky header covers part of the page otherwise.
    await admin.evaluate(() => window.scrollTo(0, 0))
    await expectAccessible(admin)
    expect(
      await admin.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0)
  })
})
