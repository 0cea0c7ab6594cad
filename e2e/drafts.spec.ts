import type { Page } from '@playwright/test'
import { expect, test } from '../test/harness/browser.ts'
import { sampled } from '../test/harness/scale.ts'
import { holdScripts } from './hold-scripts.ts'
import { openOrder, planOf } from './order.ts'

type Form = {
  form: string
  /** Opens the page of the form. */
  open: (page: Page) => Promise<void>
  /** The typed values by label. */
  typed: Record<string, string>
  /** A password, which must not be stored. */
  secret?: string
  button: string
}

const forms: Form[] = [
  {
    form: 'checkout details',
    open: async (page) => void (await page.goto(`/checkout?planId=${(await planOf(page, 2, 3)).id}`)),
    typed: { Email: 'bills@example.org' },
    button: 'Continue to Payment',
  },
  {
    form: 'payment',
    open: async (page) => {
      const { invoiceNumber, plan } = await openOrder(page)
      await page.goto(`/checkout?planId=${plan.id}&invoiceNumber=${invoiceNumber}`)
    },
    typed: { 'Confirmation code (optional)': 'AB12CD34', 'Payment note': 'typed by hand' },
    button: 'Submit Payment',
  },
  {
    form: 'report',
    open: async (page) => void (await page.goto('/dashboard?tab=reports')),
    typed: { 'Content Name': 'Harbor Drama', 'Description (optional)': 'Black picture since noon' },
    button: 'Submit Report',
  },
  {
    form: 'trial request',
    open: async (page) => void (await page.goto('/request-trial')),
    typed: { Device: 'Firestick', Message: 'I want to see whether soccer plays smoothly' },
    button: 'Request Trial',
  },
  {
    form: 'profile',
    open: async (page) => {
      await page.goto('/dashboard')
      await page.getByRole('button', { name: 'Edit Profile' }).click()
    },
    typed: { 'Full Name (optional)': 'Lena Vogt', Email: 'lena-vogt@example.org' },
    secret: 'Current Password',
    button: 'Save Changes',
  },
]

const field = (page: Page, label: string) =>
  page.getByRole('main').or(page.getByRole('dialog')).getByLabel(label, { exact: true })

for (const { form, open, typed, secret, button } of sampled(forms, 5))
  test(`nothing typed is lost if the session ends before the ${form} form is sent`, async ({
    page,
    register,
    allowPageError,
  }) => {
    allowPageError(/status of 401/)
    const { username, password } = await register()
    await open(page)
    const { pathname, search } = new URL(page.url())
    for (const [label, text] of Object.entries(typed)) await field(page, label).fill(text)
    if (secret) await field(page, secret).fill(password)
    await page.context().clearCookies()
    await page.getByRole('button', { name: button, exact: true }).click()

    const refusal = page.getByRole('alert').filter({ hasText: 'Please log in first' }).filter({ hasText: 'Log In' })
    await refusal.getByRole('link', { name: 'Log In' }).click()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Log In', exact: true }).click()

    await expect.poll(() => page.url()).toContain(pathname + search)
    for (const [label, text] of Object.entries(typed)) await expect(field(page, label)).toHaveValue(text)
    if (secret) await expect(field(page, secret), 'a password is never kept').toHaveValue('')
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(password)
  })

test('a message typed before the scripts load survives a login, and a logout removes it @proof', async ({
  page,
  register,
}) => {
  const { username, password } = await register()
  await page.context().clearCookies()
  const releaseScripts = await holdScripts(page)
  await page.goto('/contact', { waitUntil: 'commit' })
  await page.getByLabel('Message').fill('Do you have a plan for a bar?')
  releaseScripts()
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('a plan for a bar')
  await page.goto('/auth?redirect=/contact')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await expect(page.getByLabel('Message')).toHaveValue('Do you have a plan for a bar?')

  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto('/contact')
  await expect(page.getByLabel('Message')).toHaveValue('')
})
