import type { Page } from '@playwright/test'
import { expect, test } from '../test/harness/browser.ts'

/** Opens a page and waits for its scripts: earlier key presses have no effect. */
const open = (page: Page, path: string) => page.goto(path)
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('the first Tab focuses the skip link, and Enter follows it @proof', async ({ page }) => {
  for (const path of ['/', '/faq', '/contact']) {
    await open(page, path)
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  }
})

test('navigation sets the title, focuses the heading and scrolls to the top', async ({ page }) => {
  await open(page, '/')
  await page.mouse.wheel(0, 2000)
  const main = page.getByRole('navigation', { name: 'Main' })
  for (const [link, title] of [
    ['Pricing', /^Plans and pricing/],
    ['Devices', /^Supported devices/],
    ['Setup', /^Setup guide/],
    ['FAQ', /^Frequently asked questions/],
    ['Channels', /^Channel lineup/],
  ] as const) {
    await main.getByRole('link', { name: link }).click()
    await expect(page).toHaveTitle(title)
    await expect(heading(page)).toBeFocused()
    await expect(main.getByRole('link', { name: link })).toHaveAttribute('aria-current', 'page')
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  }
})

test('anchor links scroll to their section of the home page, from any page @proof', async ({ page }) => {
  await open(page, '/pricing')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Features' }).click()
  await expect(page).toHaveURL('/#features')
  await expect(page.getByRole('heading', { name: 'Everything in one place' })).toBeInViewport()
  for (const section of ['channels', 'pricing', 'devices', 'faq', 'contact']) {
    await open(page, `/#${section}`)
    await expect(page.locator(`#${section}`).getByRole('heading', { level: 2 }).first()).toBeInViewport()
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the menu opens and closes, exposes its state and restores the focus', async ({ page }) => {
    await open(page, '/')
    const button = page.getByRole('button', { name: 'Open menu' })
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    await expect(menu).toBeHidden()
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Close menu' })).toHaveAttribute('aria-expanded', 'true')
    await expect(menu.getByRole('link', { name: 'Login / Register' })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(menu.getByRole('link', { name: 'Features' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(button).toBeFocused()

    await button.click()
    await menu.getByRole('link', { name: 'FAQ' }).click()
    await expect(heading(page)).toHaveText('Frequently Asked Questions')
    await expect(menu).toBeHidden()
  })
})

test('plan groups support the arrow keys, Home and End, and the URL @proof', async ({ page }) => {
  await open(page, '/pricing')
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
  await expect(tab('Little Beast')).toHaveAttribute('aria-selected', 'true')
  await tab('Little Beast').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL('/pricing?tier=beast')
  await expect(tab('Beast')).toBeFocused()
  await expect(page.getByRole('tabpanel')).toContainText('for 3 months')
  await page.keyboard.press('End')
  await expect(page).toHaveURL('/pricing?tier=the-beast')
  await expect(page.getByRole('tabpanel')).toContainText('for 12 months')
  await page.reload()
  await expect(tab('The Beast')).toHaveAttribute('aria-selected', 'true')
  await tab('The Beast').focus()
  await page.keyboard.press('Home')
  await expect(page).toHaveURL('/pricing')
  await expect(page.getByRole('tabpanel')).toContainText('per month')
})

test('setup guides support the arrow keys and the URL @proof', async ({ page }) => {
  await open(page, '/setup?device=android')
  await expect(page.getByRole('tabpanel', { name: 'Android' })).toContainText('coming soon')
  await page.getByRole('tab', { name: 'Android' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page).toHaveURL('/setup')
  await expect(page.getByRole('tabpanel', { name: 'Amazon Firestick' }).getByRole('listitem')).toHaveCount(4)
})

test('FAQs open and close with Enter, one at a time @proof', async ({ page }) => {
  await open(page, '/faq')
  const questions = page.locator('.faqs summary')
  await questions.nth(0).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('details').nth(0)).toHaveAttribute('open')
  await page.keyboard.press('Tab')
  await expect(questions.nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('details[open]')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.locator('details[open]')).toHaveCount(0)
})
