import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { inEachLook } from '../test/harness/looks.ts'

const card = (page: Page) => page.getByRole('region', { name: 'IPTV Account' })
const toast = (page: Page, title: string) => page.getByRole('group', { name: title })
const username = (page: Page) => card(page).getByLabel('IPTV Username')
const password = (page: Page) => card(page).getByLabel('IPTV Password')
const press = (page: Page, name: 'Validate Only' | 'Sync Account' | 'Update Account') =>
  card(page).getByRole('button', { name }).click()
const open = (page: Page) => page.goto('/dashboard?tab=iptv')

async function type(page: Page, name: string, secret = linePassword): Promise<void> {
  await username(page).fill(name)
  await password(page).fill(secret)
}

/** Expects that a refused or failed check keeps the input and the badge. */
async function expectUntouched(page: Page, name: string, secret = linePassword, badge = 'Not Synced'): Promise<void> {
  await expect(username(page)).toHaveValue(name)
  await expect(password(page)).toHaveValue(secret)
  await expect(card(page).getByText(badge, { exact: true })).toBeVisible()
}

test('the form names missing fields before it sends a request @proof', async ({ page, register, panel }) => {
  await register()
  await open(page)
  await expect(page.getByRole('tab', { name: 'IPTV Account' })).toHaveAttribute('aria-selected', 'true')
  await expect(card(page).getByText('Not Synced', { exact: true })).toBeVisible()
  const before = panel.calls.length
  await press(page, 'Sync Account')
  for (const message of ['IPTV username is required', 'IPTV password is required'])
    await expect(card(page).getByRole('link', { name: message })).toBeVisible()
  await username(page).fill('line.1')
  await press(page, 'Validate Only')
  await expect(password(page)).toHaveAccessibleDescription(/IPTV password is required/)
  await expect(password(page)).toBeFocused()
  expect(panel.calls).toHaveLength(before)
})

test('the form prevents browsers from filling in the login of this site @proof', async ({ page, register }) => {
  await register()
  await open(page)
  await expect(username(page)).toHaveAttribute('autocomplete', 'off')
  await expect(password(page)).toHaveAttribute('autocomplete', 'new-password')
  await expect(password(page)).toHaveAttribute('type', 'password')
})

test('a wrong password is reported as such by both buttons, and the input is kept', async ({ page, register }) => {
  await register()
  await open(page)
  await type(page, 'line.1', 'not the password')
  await press(page, 'Validate Only')
  await expect(toast(page, 'Validation Failed')).toContainText(
    'The IPTV credentials are invalid. Please check and try again.',
  )
  await expect(card(page).getByRole('alert')).toHaveText(
    'The IPTV credentials are invalid. Please check and try again.',
  )
  await expectUntouched(page, 'line.1', 'not the password')

  await press(page, 'Sync Account')
  await expect(toast(page, 'Sync Failed')).toContainText(
    'The IPTV credentials are invalid. Please check and try again.',
  )
  await expectUntouched(page, 'line.1', 'not the password')
  await password(page).press('End')
  await page.keyboard.type('!')
  await expect(card(page).getByRole('alert')).toHaveCount(0)
})

test('an expired line is reported as such @proof', async ({ page, register }) => {
  await register()
  await open(page)
  await type(page, 'expired.1')
  await press(page, 'Validate Only')
  await expect(toast(page, 'Validation Failed')).toContainText(
    'The IPTV credentials are invalid. Please check and try again.',
  )
  await expect(card(page).getByRole('alert')).toContainText('This IPTV account has expired.')
})

test('validating shows success and saves nothing @proof', async ({ page, register }) => {
  await register()
  await open(page)
  await type(page, 'line.1')
  await press(page, 'Validate Only')
  await expect(toast(page, 'Validation Successful')).toContainText('Your IPTV credentials are valid.')
  await expect(card(page).getByRole('status')).toHaveText('Your IPTV credentials are valid.')
  await expectUntouched(page, 'line.1')
  await page.reload()
  await expect(card(page).getByText('Not Synced', { exact: true })).toBeVisible()
})

test('a line is synced, also with the Enter key, and updated later; the password is never shown again', async ({
  page,
  register,
}) => {
  await register()
  await open(page)
  await type(page, 'line.1')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'IPTV Account Synced')).toContainText('Your IPTV credentials have been saved and verified.')
  await expect(card(page).getByText('Synced', { exact: true })).toBeVisible()
  await expect(card(page).getByRole('definition')).toHaveText(['line.13 connections', 'less than a minute ago'])
  await expect(username(page)).toHaveValue('line.1')
  await expect(password(page)).toHaveValue('')
  await expect(password(page)).toHaveAccessibleDescription('Enter the password to update your account.')

  await open(page)
  await expect(username(page)).toHaveValue('line.1')
  await expect(password(page)).toHaveValue('')
  expect(await page.content()).not.toContain(linePassword)
  await press(page, 'Update Account')
  await expect(password(page)).toHaveAccessibleDescription(/IPTV password is required/)
  await expect(card(page).getByText('Synced', { exact: true })).toBeVisible()

  await type(page, 'unlimited.2')
  await press(page, 'Update Account')
  await expect(toast(page, 'IPTV Account Synced')).toBeVisible()
  await expect(card(page).getByRole('definition').first()).toHaveText('unlimited.2unlimited connections')
})

test('an account synced on one page is shown as synced on other open pages @proof', async ({
  page,
  context,
  register,
}) => {
  await register()
  await open(page)
  const other = await context.newPage()
  await open(other)
  await type(page, 'line.1')
  await press(page, 'Sync Account')
  await expect(card(other).getByText('Synced', { exact: true })).toBeVisible()
})

test('an unreachable panel is not reported as a wrong password, and a synced account stays synced @proof', async ({
  page,
  register,
  panel,
  allowPageError,
}) => {
  allowPageError(/status of 503/)
  await register()
  await open(page)
  await type(page, 'line.1')
  await press(page, 'Sync Account')
  await expect(toast(page, 'IPTV Account Synced')).toBeVisible()

  await panel.stop()
  await type(page, 'line.2')
  await press(page, 'Validate Only')
  const sorry =
    'The IPTV service cannot be reached right now, so your credentials could not be checked. Please try again in a moment.'
  await expect(toast(page, 'Validation Error')).toContainText(sorry)
  await expect(card(page).getByRole('alert')).toHaveText(sorry)
  await expectUntouched(page, 'line.2', linePassword, 'Synced')
  await press(page, 'Update Account')
  await expect(toast(page, 'Sync Error')).toContainText(sorry)
  await expectUntouched(page, 'line.2', linePassword, 'Synced')
  await expect(card(page).getByRole('definition').first()).toContainText('line.1')

  await panel.start()
  await press(page, 'Update Account')
  await expect(toast(page, 'IPTV Account Synced')).toBeVisible()
  await expect(card(page).getByRole('definition').first()).toContainText('line.2')
})

test('while a check is running no second check is sent @proof', async ({ page, register, panel, allowPageError }) => {
  allowPageError(/status of 503/)
  await register()
  await open(page)
  await type(page, 'slow.1')
  const before = panel.calls.length
  await press(page, 'Validate Only')
  await expect.poll(() => panel.calls.length).toBe(before + 1)
  // Both buttons are disabled; a forced click has no effect.
  for (const name of ['Validate Only', 'Sync Account'])
    await card(page).getByRole('button', { name }).click({ force: true })
  await password(page).press('Enter')
  await expect(toast(page, 'Validation Error')).toBeVisible()
  expect(panel.calls).toHaveLength(before + 1)
})

test('a failed request keeps the input @proof', async ({ page, register, allowPageError }) => {
  allowPageError(/ERR_FAILED/)
  await register()
  await open(page)
  await page.route('**/api/iptv/sync', (route) => route.abort())
  await type(page, 'line.1')
  await press(page, 'Sync Account')
  await expect(toast(page, 'Sync Error')).toContainText('The connection was lost. Please try again.')
  await expectUntouched(page, 'line.1')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('nothing is submitted: a password never gets into a URL @proof', async ({ page, register }) => {
    await register()
    await page.goto('/dashboard?tab=iptv')
    await type(page, 'line.1')
    await page.keyboard.press('Enter')
    await expect(card(page).getByRole('button', { name: 'Sync Account' })).toBeDisabled()
    await expect(page).toHaveURL('/dashboard?tab=iptv')
  })
})

inEachLook({ height: 844 }, () => {
  test('the IPTV Account page is accessible in every state @proof', async ({ page, register }) => {
    await register()
    await open(page)
    await expectAccessible(page)
    await press(page, 'Sync Account')
    await expect(card(page).getByText('There is a problem')).toBeVisible()
    await expectAccessible(page)
    await type(page, 'nobody')
    await press(page, 'Validate Only')
    await expect(toast(page, 'Validation Failed')).toBeVisible()
    await expectAccessible(page)
    await type(page, 'line.1')
    await press(page, 'Validate Only')
    await expect(card(page).getByRole('status')).toBeVisible()
    await expectAccessible(page)
    await press(page, 'Sync Account')
    await expect(card(page).getByText('Last synced')).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  })
})
