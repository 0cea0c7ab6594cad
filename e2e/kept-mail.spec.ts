import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { looks } from '../test/harness/looks.ts'

test('without a mail server an administrator can reveal the link of an unsent email, and the audit log records it @proof', async ({
  page,
  newCaller,
  register,
  signInAdmin,
}) => {
  const { username, email } = await register({}, await newCaller())
  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send Link' }).click()
  await expect(page.getByText('a link to set a new password is on its way')).toBeVisible()

  const admin = await signInAdmin()
  await admin.goto(`/admin/mails?status=kept&search=${email}`)
  const row = admin.getByRole('row').filter({ hasText: 'password' })
  await expect(row).toContainText('Not sent')
  await row.getByRole('button', { name: /^Open email/ }).click()
  const dialog = admin.getByRole('dialog')
  await expect(dialog.getByText('This email contains a one-time link.')).toBeVisible()
  await expect(dialog.getByText('token=')).toBeHidden()
  await dialog.getByRole('button', { name: 'Reveal link' }).click()
  const question = admin.getByRole('alertdialog', { name: `Reveal the link for ${email}?` })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByText('token=')).toBeHidden()
  await dialog.getByRole('button', { name: 'Reveal link' }).click()
  await question.getByRole('button', { name: 'Reveal link' }).click()
  const link = dialog.locator('code')
  await expect(link).toContainText('/reset-password#token=')
  await expect(admin.locator('.toast')).toContainText('Link revealed')
  // axe cannot check the preview frame because the frame runs no scripts.
  await dialog.getByRole('tab', { name: 'Plain text' }).click()
  for (const { colorScheme, width } of looks()) {
    await admin.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await admin.setViewportSize({ width, height: 900 })
    await expectAccessible(admin)
  }

  const { pathname, hash } = new URL(await link.innerText())
  await page.goto(pathname + hash)
  await page.getByLabel('New Password', { exact: true }).fill('a new beginning')
  await page.getByLabel('Confirm New Password').fill('a new beginning')
  await page.getByRole('button', { name: 'Set Password' }).click()
  await expect(page).toHaveURL('/auth')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('a new beginning')
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await expect(page.locator('.toast')).toContainText('Welcome back!')

  await admin.setViewportSize({ width: 1440, height: 900 })
  await admin.goto('/admin/audit?action=mail.reveal')
  await expect(admin.locator('tbody').getByRole('row').first()).toContainText('Secret link of an unsent email revealed')
})
