import { expect, test } from '../test/harness/browser.ts'
import { buyPlan, dollars, planOf } from './order.ts'

test('a plan leads a visitor to Register, which shows the plan, and then to its checkout @proof', async ({ page }) => {
  const plan = await planOf(page, 3, 3)
  await page.goto('/pricing?tier=big-beast')
  await page.getByRole('link', { name: `Subscribe Now — 3 connections, ${dollars(plan.price)}` }).click()
  await expect(page.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('main')).toContainText(`Your plan: ${plan.name}, ${dollars(plan.price)} for 6 months`)
  const name = `stranger-${Date.now().toString(36)}`
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Email').fill(`${name}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill('correct-horse-battery')
  await page.getByLabel('Confirm Password').fill('correct-horse-battery')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
  await expect(page.getByLabel('Plan')).toHaveValue(String(plan.id))
})

test('pricing, channels and checkout recognize a subscriber @proof', async ({ page, register, adminCaller }) => {
  await register()
  const { plan } = await buyPlan(page, adminCaller, 3, 3)
  const other = await planOf(page, 3, 4)

  await page.goto('/pricing')
  await expect(page.getByRole('main')).toContainText(`You have ${plan.name} until`)
  await expect(page.getByRole('tab', { name: /Big Beast/ })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('listitem').filter({ hasText: 'Your plan' })).toContainText('3 Connections')
  const comparison = page.getByRole('table', { name: /plans on one page/ })
  await expect(comparison.getByText('Your plan', { exact: true })).toHaveCount(1)
  await expect(page.getByRole('link', { name: /^Subscribe Now/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /^Change to This — 4 connections/ })).toHaveAttribute(
    'href',
    `/dashboard?change=${other.id}#change-title`,
  )

  await page.getByRole('link', { name: /^Change to This — 4 connections/ }).click()
  const change = page.getByRole('dialog', { name: 'Upgrade Your Subscription' })
  await expect(change).toContainText(other.name)
  await expect(page).toHaveURL('/dashboard')
  await change.getByRole('button', { name: 'Cancel' }).click()
  await page
    .getByRole('navigation', { name: 'Billing, messages and security' })
    .getByRole('link', { name: 'Invoices' })
    .click()
  await expect(page.getByRole('heading', { name: 'Your Invoices' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Invoices', exact: true })).toHaveAttribute('aria-current', 'page')

  await page.goto('/')
  await page.getByRole('tab', { name: /Big Beast/ }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Your plan' })).toContainText('3 Connections')
  await expect(page.getByRole('link', { name: /^Subscribe Now/ })).toHaveCount(0)

  await page.goto('/channels')
  await page
    .getByRole('button', { name: /with preview/ })
    .first()
    .click()
  const preview = page.getByRole('dialog')
  await expect(preview).toContainText('Preview mode. Your plan has the full channel.')
  await expect(preview.getByRole('link', { name: 'View Plans' })).toHaveCount(0)

  await page.goto('/pricing')
  await page.getByRole('link', { name: /^Extend Your Plan — 3 connections/ }).click()
  await expect(page.getByRole('status').filter({ hasText: /until / })).toContainText(`You have ${plan.name} now`)
})

test('the comparison shows the price of each plan per month, in total and per screen; on phones it shows one row @proof', async ({
  page,
}) => {
  const plan = await planOf(page, 4, 2)
  await page.goto('/pricing')
  const cell = page.getByRole('table').getByRole('link', { name: 'The Beast, 2 connections' })
  await expect(cell).toContainText(dollars(Math.ceil(plan.price / 12)))
  await expect(cell).toContainText(`${dollars(plan.price)} for 12 months`)
  await page.getByRole('radio', { name: 'Per screen' }).check()
  await expect(cell).toContainText(dollars(Math.ceil(plan.price / 24)))
  await expect(cell).toHaveAttribute('href', `/checkout?planId=${plan.id}`)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(cell).toBeHidden()
  await page.getByRole('radio', { name: '2', exact: true }).check()
  await expect(cell).toBeVisible()
  await expect(page.getByRole('table').getByRole('link')).toHaveCount(4)
})
