import type { Page } from '@playwright/test'
import { type Customer, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Profile Information' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Profile' })
const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
const toast = (page: Page, title: string) => page.getByRole('group', { name: title })
const action = (page: Page, name: string) => dialog(page).getByRole('button', { name })

async function openDialog(page: Page, part: 'Name and Email' | 'Password' = 'Name and Email'): Promise<void> {
  await page.goto('/dashboard')
  await card(page).getByRole('button', { name: 'Edit Profile' }).click()
  await dialog(page).getByRole('tab', { name: part }).click()
}
async function logIn(page: Page, { username }: Customer, password: string): Promise<number> {
  const { origin } = new URL((await page.request.get('/api/site')).url())
  return (await page.request.post('/api/login', { data: { username, password }, headers: { origin } })).status()
}

test('every rule has its own error message, and the first invalid field gets the focus @proof', async ({
  page,
  register,
}) => {
  await register()
  await openDialog(page)
  await field(page, 'Full Name (optional)').fill('x')
  await field(page, 'Email').fill('nobody')
  await action(page, 'Save Changes').click()
  for (const message of [
    'Full name must be at least 2 characters',
    'Please enter a valid email address',
    'Please enter your current password',
  ])
    await expect(dialog(page).getByRole('link', { name: message })).toBeVisible()
  await field(page, 'Full Name (optional)').fill('Lena Vogt')
  await field(page, 'Email').fill('lena@example.org')
  await action(page, 'Save Changes').click()
  await expect(field(page, 'Current Password')).toBeFocused()

  await dialog(page).getByRole('tab', { name: 'Password' }).click()
  await field(page, 'Current Password').fill('correct-horse-battery')
  await field(page, 'New Password').fill('another-horse')
  await field(page, 'Confirm New Password').fill('another-house')
  await action(page, 'Change Password').click()
  await expect(field(page, 'Confirm New Password')).toHaveAccessibleDescription(/Passwords don't match/)
  await dialog(page).getByRole('tab', { name: 'Name and Email' }).click()
  await expect(field(page, 'Email'), 'what was typed stays').toHaveValue('lena@example.org')
})

test('a wrong password, a taken address and a failing server show an error, and the input stays @proof', async ({
  page,
  newCaller,
  register,
  allowPageError,
}) => {
  allowPageError(/status of (403|409|503)/)
  const taken = await register({}, await newCaller())
  const { password } = await register()
  await openDialog(page)
  await field(page, 'Full Name (optional)').fill('Lena Vogt')
  await field(page, 'Email').fill(taken.email)
  await field(page, 'Current Password').fill('not the password')
  const typed = async () => [
    await field(page, 'Full Name (optional)').inputValue(),
    await field(page, 'Email').inputValue(),
  ]

  await action(page, 'Save Changes').click()
  await expect(toast(page, 'Failed to update profile')).toContainText('This is not your current password')
  await expect(field(page, 'Current Password')).toHaveAccessibleDescription(/This is not your current password/)
  await expect(field(page, 'Current Password')).toBeFocused()
  await expect(field(page, 'Current Password')).toHaveValue('not the password')

  await field(page, 'Current Password').fill(password)
  await action(page, 'Save Changes').click()
  await expect(field(page, 'Email')).toHaveAccessibleDescription(/That username or email is already in use/)
  expect(await typed()).toEqual(['Lena Vogt', taken.email])

  await page.route('**/api/account/profile', (route) =>
    route.fulfill({ status: 503, json: { message: 'We cannot reach our records right now.', code: 'unavailable' } }),
  )
  await field(page, 'Email').fill('free@example.org')
  await action(page, 'Save Changes').click()
  await expect(dialog(page).getByText('We cannot reach our records right now.')).toBeVisible()
  expect(await typed()).toEqual(['Lena Vogt', 'free@example.org'])
})

test('name and email address change on every open page, and the new address can log in', async ({
  page,
  context,
  register,
}) => {
  const { username, password } = await register()
  const other = await context.newPage()
  await other.goto('/dashboard')
  await openDialog(page)
  await field(page, 'Full Name (optional)').fill('Lena Vogt')
  await field(page, 'Email').fill(`${username}@new.example.org`)
  await field(page, 'Current Password').fill(password)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Profile updated')).toContainText('We also notified your old address.')
  await expect(dialog(page)).toBeHidden()
  await expect(card(page).getByRole('button', { name: 'Edit Profile' })).toBeFocused()
  for (const each of [page, other])
    for (const text of ['Lena Vogt', `${username}@new.example.org`]) await expect(card(each)).toContainText(text)
  expect(await logIn(page, { username: `${username}@new.example.org` } as Customer, password)).toBe(200)
})

test('a new password ends all other sessions and keeps this one @proof', async ({ page, newPage, register }) => {
  const user = await register()
  const other = await newPage()
  expect(await logIn(other, user, user.password)).toBe(200)
  await other.goto('/dashboard')
  await openDialog(page, 'Password')
  await field(page, 'Current Password').fill(user.password)
  await field(page, 'New Password').fill('another-horse')
  await field(page, 'Confirm New Password').fill('another-horse')
  await action(page, 'Change Password').click()
  await expect(toast(page, 'Password changed')).toContainText('You have been logged out everywhere else.')

  await page.reload()
  await expect(card(page)).toContainText(user.username)
  await other.reload()
  await expect(other).toHaveURL('/auth?redirect=%2Fdashboard')
  await other.getByLabel('Username').fill(user.username)
  await other.getByLabel('Password', { exact: true }).fill('another-horse')
  await other.getByRole('button', { name: 'Log In', exact: true }).click()
  await expect(other).toHaveURL('/dashboard')
})

test('a page left open in another browser goes to the login without a reload @proof', async ({
  page,
  newPage,
  register,
  allowPageError,
}) => {
  allowPageError(/status of 401/)
  const user = await register()
  const other = await newPage()
  expect(await logIn(other, user, user.password)).toBe(200)
  await other.goto('/dashboard?tab=referrals')
  await expect(other.getByRole('tabpanel')).toBeVisible()
  const { origin } = new URL(page.url() === 'about:blank' ? other.url() : page.url())
  const data = { currentPassword: user.password, newPassword: 'another-horse' }
  expect((await page.request.put('/api/account/password', { data, headers: { origin } })).status()).toBe(200)
  await expect(other).toHaveURL('/auth?redirect=%2Fdashboard%3Ftab%3Dreferrals')
})

inEachLook({ height: 844 }, () => {
  test('both parts of the dialog are accessible, also after a failed try @proof', async ({ page, register }) => {
    await register()
    for (const part of ['Name and Email', 'Password'] as const) {
      await openDialog(page, part)
      await expectAccessible(page)
      await action(page, part === 'Password' ? 'Change Password' : 'Save Changes').click()
      await expect(dialog(page).getByText('Please enter your current password').first()).toBeVisible()
      await expectAccessible(page)
    }
  })
})
