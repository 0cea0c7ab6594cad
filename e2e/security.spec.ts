import type { Page } from '@playwright/test'
import { codeAt } from '../src/features/two-factor/server/totp.ts'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import type { Sink } from '../test/harness/smtp-sink.ts'
import { holdScript } from './hold-script.ts'
import { test } from './mail-journey.ts'

const toast = (page: Page, title: string) => page.getByRole('group', { name: title })
const card = (page: Page, name: string) => page.getByRole('region', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const mailTo = async (sink: Sink, email: string, words: string) => {
  const found = () => sink.mails.find(({ to, raw, text }) => to.includes(email) && (raw + text).includes(words))
  await expect.poll(found, { timeout: 30_000 }).toBeTruthy()
  return found()!
}
async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Log In').click()
}

test('a forgotten password is reset with a link that works once and leaves no token in the URL', async ({
  page,
  newCaller,
  register,
  sink,
  allowPageError,
}) => {
  allowPageError(/status of (400|401)/)
  const { username, email } = await register({}, await newCaller())
  await page.goto('/auth')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot your password?')
  await button(page, 'Send Link').click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Please enter a valid email address/)
  for (const typed of ['nobody@example.org', email]) {
    await page.getByLabel('Email').fill(typed)
    await page.getByRole('button', { name: /Send (Another )?Link/ }).click()
    await expect(
      page.getByText('If an account has this address, a link to set a new password is on its way.'),
    ).toBeVisible()
  }
  const mail = await mailTo(sink, email, '/reset-password#token=')
  const link = /\/reset-password#token=[\w-]+/.exec(mail.text)?.[0] ?? ''
  expect(sink.mails.filter(({ to }) => to.includes('nobody@example.org'))).toEqual([])

  const response = await page.goto(link)
  expect(response?.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  })
  await expect(page).toHaveURL('/reset-password')
  await page.getByLabel('New Password', { exact: true }).fill('a new beginning')
  await page.getByLabel('Confirm New Password').fill('a new ending')
  await button(page, 'Set Password').click()
  await expect(page.getByLabel('Confirm New Password')).toHaveAccessibleDescription(/Passwords don't match/)
  await page.getByLabel('Confirm New Password').fill('a new beginning')
  await button(page, 'Set Password').click()
  await expect(toast(page, 'Password changed')).toBeVisible()
  await expect(page).toHaveURL('/auth')
  await fillLogin(page, username, 'a new beginning')
  await expect(toast(page, 'Welcome back!')).toBeVisible()

  await page.goto(link)
  await page.getByLabel('New Password', { exact: true }).fill('a third one')
  await page.getByLabel('Confirm New Password').fill('a third one')
  await button(page, 'Set Password').click()
  await expect(page.getByText('This link is no longer valid. Please request a new one.').first()).toBeVisible()
})

test('the login form does not move while the passkey button loads', async ({ page }) => {
  const release = await holdScript(page, 'Log In with a Passkey')
  await page.goto('/auth')
  const top = async () => (await button(page, 'Log In').boundingBox())!.y
  const before = await top()
  await release()
  await expect(page.getByRole('button', { name: 'Log In with a Passkey' })).toBeVisible()
  expect(await top()).toBe(before)
})

test('a customer sees their sessions, gets an email about a login from another device and ends that session @proof', async ({
  page,
  newPage,
  register,
  sink,
}) => {
  const { username, email, password } = await register()
  const other = await newPage()
  await other.setExtraHTTPHeaders({
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
  })
  await other.goto('/auth?redirect=/dashboard')
  await fillLogin(other, username, password)
  await expect(other).toHaveURL('/dashboard')
  await mailTo(sink, email, 'Safari on iPhone')

  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  const sessions = card(page, 'Where You Are Logged In')
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByText('This device')).toHaveCount(1)
  await sessions.getByRole('button', { name: /^Log Out Safari on iPhone/ }).click()
  await expect(toast(page, 'Logged out')).toContainText('Safari on iPhone has been logged out.')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await other.reload()
  await expect(other).toHaveURL('/auth?redirect=%2Fdashboard')
})

test('login requires an authenticator code or a recovery code, and two-factor login can be turned off', async ({
  page,
  register,
  allowPageError,
}) => {
  test.slow()
  allowPageError(/status of (400|401|403)/)
  const { username, password } = await register()
  await page.goto('/security')
  const section = card(page, 'Two-Step Verification')
  await section.getByRole('button', { name: 'Set Up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-step verification' })
  await dialog.getByLabel('Current Password').fill('not the password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByLabel('Current Password')).toHaveAccessibleDescription(/This is not your current password/)
  await dialog.getByLabel('Current Password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (
    await dialog
      .getByText(/No camera\?/)
      .locator('span')
      .innerText()
  ).replaceAll(' ', '')
  const code = (steps = 0) => codeAt(secret, Date.now() / 1000 + 30 * steps)
  await expectAccessible(page)
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await dialog.getByRole('button', { name: 'Turn On' }).click()
  await expect(dialog.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(/This code is wrong/)
  await dialog.getByLabel('Code', { exact: true }).fill(code())
  await dialog.getByRole('button', { name: 'Turn On' }).click()
  const recoveryDialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
  const items = recoveryDialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  const codes = await items.allInnerTexts()
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await recoveryDialog.getByRole('button', { name: 'Download' }).click()
  expect((await saved).suggestedFilename()).toBe('recovery-codes.txt')
  await page.evaluate(() => Object.assign(window, { print: () => document.body.classList.add('printed') }))
  await recoveryDialog.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body')).toHaveClass(/printed/)
  await page.emulateMedia({ media: 'print' })
  const printed = (await page.locator('body').innerText()).split('\n').map((line) => line.trim())
  expect(printed.filter(Boolean)).toEqual([
    expect.stringMatching(/^Recovery codes for .+\. Each one works once\.$/),
    ...codes,
  ])
  await page.emulateMedia({ media: 'screen' })
  await recoveryDialog.getByRole('button', { name: 'I’ve Saved Them' }).click()
  await expect(section).toContainText('Recovery codes left: 10')

  const logOut = async () => {
    await page.goto('/dashboard')
    await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/')
    await page.goto('/auth?redirect=/security')
    await fillLogin(page, username, password)
    await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible()
  }
  await logOut()
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused()
  await page.getByLabel('Code', { exact: true }).fill('123456')
  await button(page, 'Verify').click()
  await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(/This code is wrong/)
  await page.getByLabel('Code', { exact: true }).fill(code(1))
  await button(page, 'Verify').click()
  await expect(page).toHaveURL('/security')

  await logOut()
  await page.getByLabel('Code', { exact: true }).fill(codes[0]!.toLowerCase())
  await button(page, 'Verify').click()
  await expect(section).toContainText('Recovery codes left: 9')

  await section.getByRole('button', { name: 'Turn Off' }).click()
  const off = page.getByRole('dialog', { name: 'Turn off two-step verification' })
  await off.getByLabel('Current Password').fill(password)
  await off.getByLabel('Code', { exact: true }).fill(codes[1]!)
  await off.getByRole('button', { name: 'Turn Off' }).click()
  await expect(toast(page, 'Two-step verification is off')).toBeVisible()
  await expect(section.getByRole('button', { name: 'Set Up' })).toBeVisible()
})

test('a passkey is added, named, logs in without a password and is removed @proof', async ({
  page,
  register,
  allowPageError,
}) => {
  allowPageError(/status of 401/)
  const { username, password } = await register()
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, automaticPresenceSimulation: true },
  })

  await page.goto('/security')
  const section = card(page, 'Passkeys')
  await section.getByRole('button', { name: 'Add a Passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Red phone')
  await dialog.getByLabel('Current Password').fill(password)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add Passkey' }).click()
  await expect(toast(page, 'Passkey added')).toContainText('You can now log in with Red phone.')
  await section.getByRole('button', { name: 'Rename Red phone' }).click()
  await page.getByRole('dialog', { name: 'Rename passkey' }).getByLabel('Name').fill('Blue phone')
  await page.getByRole('dialog', { name: 'Rename passkey' }).getByRole('button', { name: 'Rename' }).click()
  await expect(section).toContainText('Blue phone')
  await expect(section).toContainText('not used yet')

  await page.context().clearCookies()
  await page.goto('/auth?redirect=/security')
  await button(page, 'Log In with a Passkey').click()
  await expect(toast(page, 'Welcome back!')).toContainText(username)
  await expect(page).toHaveURL('/security')
  await section.getByRole('button', { name: 'Remove Blue phone' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove Blue phone?' })
  await removal.getByLabel('Current Password').fill(password)
  await removal.getByRole('button', { name: 'Remove Passkey' }).click()
  await expect(toast(page, 'Passkey removed')).toBeVisible()
  await expect(section.getByRole('listitem')).toHaveCount(0)

  await page.context().clearCookies()
  await page.goto('/auth')
  await button(page, 'Log In with a Passkey').click()
  await expect(toast(page, 'Login failed')).toContainText('This passkey could not be used.')
})

test('an administrator sees the site as a customer, changes nothing, and stops', async ({
  page,
  register,
  signInAdmin,
  newCaller,
  allowPageError,
}) => {
  allowPageError(/status of 403/)
  const { username, password } = await register({}, await newCaller())
  await signInAdmin(page)
  await page.goto(`/admin?search=${username}`)
  await page.getByRole('link', { name: username }).first().click()
  await button(page, 'View as Customer').click()
  await expect(page).toHaveURL('/dashboard')
  const banner = page.getByRole('complementary', { name: 'Viewing as a customer' })
  await expect(banner).toContainText(`You are viewing the site as ${username}. Nothing can be changed`)
  await expectAccessible(page)
  await page.goto('/pricing')
  await expect(banner).toBeVisible()
  await page.goto('/dashboard')
  await button(page, 'Edit Profile').click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await dialog.getByLabel('Full Name (optional)').fill('Somebody Else')
  await dialog.getByLabel('Current Password').fill(password)
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByText(/you cannot change anything/)).toBeVisible()
  await page.keyboard.press('Escape')
  await banner.getByRole('button', { name: 'Stop Viewing' }).click()
  await expect(page).toHaveURL(/\/admin\/users\/\d+/)
  await expect(banner).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(username)
})

inEachLook({ height: 844 }, () => {
  test('every security page is accessible @proof', async ({ page, register, newPage }) => {
    const visitor = await newPage()
    for (const path of [
      '/auth',
      '/forgot-password',
      '/reset-password',
      '/reset-password#token=x',
      '/verify-email#token=x',
      '/reset-password?token=x',
    ]) {
      await visitor.goto(path)
      await expectAccessible(visitor)
    }
    await register()
    await page.goto('/security')
    await expect(card(page, 'Where You Are Logged In').getByText('This device')).toBeVisible()
    await expectAccessible(page)
    await card(page, 'Two-Step Verification').getByRole('button', { name: 'Set Up' }).click()
    await expect(page.getByRole('dialog', { name: 'Set up two-step verification' })).toBeVisible()
    await expectAccessible(page)
  })
})
