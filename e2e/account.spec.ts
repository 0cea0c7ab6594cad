import type { Page } from '@playwright/test'
import { type Customer, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { sampled } from '../test/harness/scale.ts'

const submitLogin = async (page: Page, username: string, password: string) => {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
}
const clearCookies = (page: Page) => page.context().clearCookies()
const toast = (page: Page, title: string) => page.getByRole('group', { name: title })

test.describe('login', () => {
  test('shows both validation errors, and only after the first submit @proof', async ({ page }) => {
    await page.goto('/auth')
    await page.getByLabel('Username').fill('ab')
    await page.getByLabel('Password', { exact: true }).fill('12345')
    await page.getByLabel('Password', { exact: true }).blur()
    await expect(page.getByText('Username must be at least 3 characters')).toHaveCount(0)

    await page.getByRole('button', { name: 'Log In', exact: true }).click()

    await expect(page.getByText('There is a problem').locator('../..')).toBeFocused()
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username must be at least 3 characters')
    await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(
      'Password must be at least 6 characters',
    )
    await page.getByRole('link', { name: 'Password must be at least 6 characters' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  })

  test('with one invalid field focuses it @proof', async ({ page }) => {
    await page.goto('/auth')
    await submitLogin(page, 'somebody', 'short')
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await expect(page.getByText('There is a problem')).toHaveCount(0)
    await page.getByLabel('Password', { exact: true }).fill('long enough')
    await expect(page.getByText('Password must be at least 6 characters')).toHaveCount(0)
  })

  test('with a wrong password keeps the input and shows the server’s message', async ({
    page,
    register,
    allowPageError,
  }) => {
    allowPageError(/status of 401/)
    const { username } = await register()
    await clearCookies(page)
    await page.goto('/auth')
    await submitLogin(page, username, 'not the password')
    await expect(toast(page, 'Login failed')).toContainText('Invalid username or password')
    // Located by its role, so screen reader users can dismiss it too.
    await expect(toast(page, 'Login failed').getByRole('button', { name: 'Dismiss' })).toBeVisible()
    await expect(page.locator('form').getByText('Invalid username or password')).toBeVisible()
    await expect(page.getByLabel('Username')).toHaveValue(username)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not the password')
    await expect(page).toHaveURL('/auth')
  })

  test('greets by name and opens the home page; logout shows a message', async ({ page, register }) => {
    const { username, password } = await register()
    await clearCookies(page)
    await page.goto('/auth')
    await submitLogin(page, username, password)
    await expect(toast(page, 'Welcome back!')).toContainText(`You've successfully logged in as ${username}`)
    await expect(page).toHaveURL('/')

    await page.getByRole('banner').getByRole('link', { name: 'My Account' }).click()
    await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
    await expect(toast(page, 'Logged out')).toContainText("You've been logged out successfully.")
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('banner').getByRole('link', { name: 'My Account' })).toHaveCount(0)
    await page.goto('/dashboard')
    await expect(page).toHaveURL('/auth?redirect=%2Fdashboard')
  })

  test('returns to the page that required it, with its query', async ({ page, register }) => {
    const { username, password } = await register()
    await clearCookies(page)
    await page.goto('/dashboard?tab=referrals')
    await expect(page.getByText('Log in or register to continue.')).toBeVisible()
    await submitLogin(page, username, password)
    await expect(page).toHaveURL('/dashboard?tab=referrals')
    await expect(page.getByRole('tab', { name: 'Referrals' })).toHaveAttribute('aria-selected', 'true')
    await page.goBack()
    await expect(page).not.toHaveURL(/auth/)
  })

  test('never redirects to another site, whatever the redirect parameter is @proof', async ({ page, register }) => {
    const { username, password } = await register()
    const targets = [
      '/\\evil.example',
      'https://evil.example/',
      '//evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
      '"//evil.example"',
      '@evil.example',
    ]
    for (const hostile of sampled(targets, 3)) {
      await clearCookies(page)
      await page.goto(`/auth?redirect=${encodeURIComponent(hostile)}`)
      await submitLogin(page, username, password)
      await expect(page, hostile).toHaveURL('/')
      await page.goto(`/auth?redirect=${encodeURIComponent(hostile)}`)
      await expect(page, hostile).toHaveURL('/')
    }
  })

  test('keeps input that was typed before the scripts loaded @proof', async ({ page, register }) => {
    const { username, password } = await register()
    await clearCookies(page)
    const arrival = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await arrival.promise
      await route.continue()
    })
    await page.goto('/auth', { waitUntil: 'commit' })
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    arrival.resolve()
    await page.getByRole('button', { name: 'Log In', exact: true }).click()
    await expect(page).toHaveURL('/')
  })

  test('shows and hides the password on request @proof', async ({ page }) => {
    await page.goto('/auth')
    const field = page.getByLabel('Password', { exact: true })
    await expect(page.getByRole('button', { name: 'Log In', exact: true })).toBeEnabled()
    await expect(field).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(field).toHaveAttribute('type', 'text')
    await expect(page.getByRole('button', { name: 'Show password' })).toHaveAttribute('aria-pressed', 'true')
  })
})

test.describe('login without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('submits nothing, by button or by Enter: a password never gets into a URL', async ({ page }) => {
    await page.goto('/auth')
    await page.getByLabel('Username').fill('somebody')
    await page.getByLabel('Password', { exact: true }).fill('my secret words')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Log In', exact: true }).click({ force: true })
    await expect(page.getByRole('button', { name: 'Log In', exact: true })).toBeDisabled()
    await expect(page).toHaveURL('/auth')
    await expect(page.getByLabel('Username')).toHaveValue('somebody')
  })
})

type Registration = { username: string; email?: string; password?: string; confirm?: string; code?: string }
const submitRegistration = async (
  page: Page,
  { username, email = `${username}@example.org`, password = 'secret words', confirm = password, code }: Registration,
) => {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(confirm)
  if (code !== undefined) await page.getByLabel('Referral Code').fill(code)
  await page.getByRole('button', { name: 'Create Account' }).click()
}
const newName = () => `joiner-${Math.random().toString(36).slice(2, 10)}`

/** Returns the referral code of an existing customer. */
async function codeOf({ page }: Customer): Promise<string> {
  const answer = (await (await page.request.get('/api/referrals/my-code')).json()) as { referralCode: string }
  return answer.referralCode
}

test.describe('registration', () => {
  test('shows a separate message for each rule @proof', async ({ page }) => {
    await page.goto('/register')
    await submitRegistration(page, { username: 'ab', email: 'nobody', password: '12345', code: 'ABC' })
    for (const message of [
      'Username must be at least 3 characters',
      'Please enter a valid email address',
      'Password must be at least 6 characters',
      'Referral code must be at least 6 characters',
    ])
      await expect(page.getByRole('link', { name: message }).first()).toBeVisible()
    await expect(page).toHaveTitle(/^Error: /)

    await submitRegistration(page, { username: newName(), confirm: 'other words', code: '' })
    await expect(page.getByLabel('Confirm Password')).toHaveAccessibleDescription("Passwords don't match")
    await expect(page.getByLabel('Confirm Password')).toBeFocused()
    await expect(page).not.toHaveTitle(/^Error: /)
  })

  test('with a taken name marks the fields and keeps the input @proof', async ({ page, register, allowPageError }) => {
    allowPageError(/status of 4/)
    const { username } = await register()
    await clearCookies(page)
    await page.goto('/register')
    await submitRegistration(page, { username, email: 'fresh@example.org' })
    await expect(toast(page, 'Registration failed')).toContainText('That username or email is already in use')
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription('That username or email is already in use')
    await expect(page.getByLabel('Email')).toHaveValue('fresh@example.org')
    await expect(page.getByLabel('Confirm Password')).toHaveValue('secret words')
  })

  test('with an unknown referral code creates nothing and makes the code editable @proof', async ({
    page,
    register,
    allowPageError,
  }) => {
    allowPageError(/status of 4/)
    const inviter = await register()
    const code = await codeOf(inviter)
    await clearCookies(page)
    await page.goto('/auth?ref=NOSUCHCODE')
    const username = newName()
    await expect(page.getByLabel('Referral Code')).toHaveAttribute('readonly')
    await submitRegistration(page, { username })
    await expect(toast(page, 'Registration failed')).toBeVisible()
    await expect(page.getByLabel('Referral Code')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Referral Code')).not.toHaveAttribute('readonly')
    await submitRegistration(page, { username, code })
    await expect(toast(page, 'Account created!')).toBeVisible()
  })

  test('creates an account, shows a confirmation and logs in', async ({ page }) => {
    await page.goto('/auth')
    await expect(page.getByRole('tab', { name: 'Login' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('button', { name: 'Log In', exact: true })).toBeEnabled()
    await page.getByRole('tab', { name: 'Register' }).click()
    const username = newName()
    await submitRegistration(page, { username })
    await expect(toast(page, 'Account created!')).toContainText('Your account has been created successfully.')
    await expect(page).toHaveURL('/')
    await page.getByRole('banner').getByRole('link', { name: 'My Account' }).click()
    await expect(page.getByRole('heading', { name: 'My Account', level: 1 })).toBeFocused()
    await expect(page.getByRole('region', { name: 'Profile Information' })).toContainText(username)
  })

  test('with a referral link locks the code and shows the bonus after registration @proof', async ({
    page,
    register,
  }) => {
    const code = await codeOf(await register())
    await clearCookies(page)
    await page.goto(`/auth?ref=${code}`)
    await expect(page.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByLabel('Referral Code')).toHaveValue(code)
    await expect(page.getByLabel('Referral Code')).toHaveAttribute('readonly')
    await submitRegistration(page, { username: newName() })
    await expect(toast(page, 'Account created!')).toBeVisible()
    await expect(toast(page, 'Referral bonus applied!')).toContainText(
      "You've received credit from using a referral code.",
    )
    await expect(toast(page, 'Account created!')).toHaveCount(0)
  })

  test('works with only the keyboard @proof', async ({ page }) => {
    await page.goto('/auth')
    await expect(page.getByRole('button', { name: 'Log In', exact: true })).toBeEnabled()
    await page.getByRole('tab', { name: 'Login' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: 'Register' })).toBeFocused()
    await page.keyboard.press('Tab')
    const username = newName()
    const field = async (value: string) => {
      await page.keyboard.press('Tab')
      await page.keyboard.type(value)
    }
    await field(username)
    await field(`${username}@example.org`)
    await field('secret words')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Show password' }).first()).toBeFocused()
    await field('secret words')
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Account created!')).toBeVisible()
  })
})

inEachLook({ height: 844 }, () => {
  test('login and registration are accessible, also with errors', async ({ page, allowPageError }) => {
    allowPageError(/status of 401/)
    await page.goto('/auth?redirect=/dashboard')
    await expectAccessible(page)
    await submitLogin(page, 'nobody-here', 'wrong words')
    await expect(toast(page, 'Login failed')).toBeVisible()
    await expectAccessible(page)
    await page.goto('/register?ref=ABCDEFGH')
    await submitRegistration(page, { username: 'a', email: 'b', password: 'c' })
    await expect(page.getByText('There is a problem')).toBeVisible()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  })
})

const expectNoSidewaysScroll = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
