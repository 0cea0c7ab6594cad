import type { Page } from '@playwright/test'
import { codeAt } from '../src/features/two-factor/server/totp.ts'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { test } from './mail-journey.ts'

const toast = (page: Page, title: string) => page.getByRole('group', { name: title })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function addPasskey(page: Page, name: string, password: string): Promise<void> {
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
  await button(page, 'Add a Passkey').click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Current Password').fill(password)
  await dialog.getByRole('button', { name: 'Add Passkey' }).click()
  await expect(toast(page, 'Passkey added')).toBeVisible()
}

/** Enables two-factor login by sending the same requests as its dialog. */
async function addSecondFactor(page: Page, currentPassword: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const result = await page.evaluate(
      async ([to, text]) => {
        const response = await fetch(to!, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: text!,
        })
        return { status: response.status, body: (await response.json()) as { secret: string } }
      },
      [path, JSON.stringify(body)],
    )
    expect(result.status).toBe(200)
    return result.body
  }
  const { secret } = await post('/api/account/two-factor/setup', { currentPassword })
  await post('/api/account/two-factor/enable', { code: codeAt(secret, Date.now() / 1000) })
}

test("one link in the owner's mailbox removes an intruder's passkey, second factor and session @proof", async ({
  page,
  newPage,
  register,
  sink,
  allowPageError,
}) => {
  allowPageError(/status of 401/)
  const intruder = await newPage()
  const { username, email, password } = await register({}, intruder)
  await addPasskey(intruder, 'Unknown phone', password)
  await addSecondFactor(intruder, password)

  await page.goto('/forgot-password')
  await page.getByLabel('Email').fill(email)
  await button(page, 'Send Link').click()
  const link = () =>
    sink.mails.flatMap(({ to, text }) =>
      to.includes(email) ? (/\/reset-password#token=[\w-]+/.exec(text) ?? []) : [],
    )[0]
  await expect.poll(link, { timeout: 30_000 }).toBeTruthy()
  await page.goto(link()!)
  await page.getByLabel('New Password', { exact: true }).fill('only the owner knows')
  await page.getByLabel('Confirm New Password').fill('only the owner knows')
  await button(page, 'Set Password').click()
  await expect(toast(page, 'Password changed')).toContainText('Passkeys were removed: Unknown phone.')
  await expect(toast(page, 'Password changed')).toContainText('Two-step verification was turned off.')

  await intruder.goto('/dashboard')
  await expect(intruder).toHaveURL('/auth?redirect=%2Fdashboard')
  await button(intruder, 'Log In with a Passkey').click()
  await expect(intruder.getByText('This passkey could not be used').first()).toBeVisible()

  await page.goto('/auth?redirect=/security')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('only the owner knows')
  await button(page, 'Log In').click()
  await expect(page).toHaveURL('/security')
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(0)
})

test('a password change lists the passkeys and removes them on request @proof', async ({ page, register }) => {
  const { password } = await register()
  await addPasskey(page, 'Old tablet', password)
  await page.goto('/dashboard')
  await button(page, 'Edit Profile').click()
  await page.getByRole('tab', { name: 'Password' }).click()
  const list = page.getByRole('group', { name: 'Passkeys that log in without a password' })
  await expect(list).toContainText('Old tablet')
  await expectAccessible(page)
  await list.getByLabel('Remove these passkeys').check()
  await page.getByLabel('Current Password').fill(password)
  await page.getByLabel('New Password', { exact: true }).fill('another long one')
  await page.getByLabel('Confirm New Password').fill('another long one')
  await button(page, 'Change Password').click()
  await expect(toast(page, 'Password changed')).toBeVisible()
  await page.goto('/security')
  await expect(page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(0)
})
