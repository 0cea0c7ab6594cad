import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { planOf } from './order.ts'

const menu = async (admin: Page, action: string) => {
  await admin.getByRole('button', { name: 'More actions' }).click()
  await admin.getByRole('list', { name: 'More actions' }).getByRole('button', { name: action }).click()
  return admin.getByRole('dialog', { name: action })
}

test.describe('on a phone in dark mode', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 900 } })

  test('an administrator creates a customer and a paid order for them; a taken name is refused and keeps the input', async ({
    page,
    newCaller,
    register,
    signInAdmin,
    allowPageError,
  }) => {
    allowPageError(/status of 409/)
    const taken = await register({}, await newCaller())
    const admin = await signInAdmin(page)
    const plan = await planOf(admin, 1, 2)
    await admin.goto('/admin')
    const opener = admin.getByRole('button', { name: 'New Customer' })
    await opener.click()
    const creating = admin.getByRole('dialog', { name: 'New Customer' })
    await creating.getByRole('button', { name: 'Create Customer' }).click()
    await expect(creating.getByLabel('Email')).toHaveAccessibleDescription(/valid email address/)
    await expectAccessible(admin)
    const username = `moved-${Date.now().toString(36)}`
    await creating.getByLabel('Username').fill(taken.username)
    await creating.getByLabel('Email').fill(`${username}@example.org`)
    await creating.getByRole('button', { name: 'Create Customer' }).click()
    await expect(creating.getByLabel('Username')).toHaveAccessibleDescription('Another account has this username')
    await expect(creating.getByLabel('Email')).toHaveValue(`${username}@example.org`)
    await creating.getByLabel('Username').fill(username)
    await creating.getByRole('button', { name: 'Create Customer' }).click()
    await expect(admin.getByRole('heading', { level: 1, name: username })).toBeVisible()

    const ordering = await menu(admin, 'Create Order')
    await ordering.getByRole('button', { name: 'Create Order' }).click()
    await expect(ordering.getByLabel('Plan')).toHaveAccessibleDescription(/choose a plan/)
    await ordering.getByLabel('Plan').selectOption(String(plan.id))
    await expect(ordering.getByText('Total')).toBeVisible()
    await ordering.getByText('Already received').click()
    await ordering.getByLabel('Payment method').selectOption('venmo')
    await ordering.getByLabel('Confirmation code').fill('HAND-4711')
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await ordering.getByRole('button', { name: 'Create and Confirm' }).click()
    await expect(ordering).toBeHidden()
    await expect(admin.getByRole('region', { name: 'Timeline' })).toContainText(/Order ORD-\S+ created/)
    await expect(admin.getByRole('main')).toContainText(plan.name)
  })
})
