import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { looks } from '../test/harness/looks.ts'
import { sampled } from '../test/harness/scale.ts'
import { test as journey } from './mail-journey.ts'

const test = journey.extend<{ admin: Page }>({
  admin: async ({ page, signInAdmin }, use) => use(await signInAdmin(page)),
})
test.use({ mailFrom: 'Harbour TV <tv@harbour.example>' })

const rowOf = (admin: Page, text: string): Locator => admin.getByRole('row').filter({ hasText: text })
const frameOf = (within: Locator) => within.frameLocator('iframe')

async function inEachLook(page: Page, check: () => Promise<void>): Promise<void> {
  for (const { colorScheme, width } of looks()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await check()
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('an email is sent immediately, can be previewed, and can be resent @proof', async ({
  admin,
  register,
  newCaller,
  sink,
}) => {
  await admin.goto('/admin')
  await admin.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Mail Log' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Mail Log' })).toBeVisible()
  await admin.getByRole('searchbox').fill('harbour-olive')
  await expect(admin.getByText('No emails match')).toBeVisible()

  await register({ username: 'harbour-olive' }, await newCaller())
  // The row appears without a reload.
  const row = rowOf(admin, 'harbour-olive@example.org')
  await expect(row).toContainText('Sent')
  await expect(row).toContainText('Welcome')
  const [mail] = sink.mails.filter(({ to }) => to[0] === 'harbour-olive@example.org')
  expect(mail!.headers.get('from')).toEqual(['Harbour TV <tv@harbour.example>'])

  const open = row.getByRole('button', { name: /^Open email/ })
  await open.click()
  const dialog = admin.getByRole('dialog', { name: 'Welcome' })
  await expect(frameOf(dialog).getByRole('heading', { name: 'Your account is ready' })).toBeVisible()
  await dialog.getByRole('tab', { name: 'Phone' }).click()
  await expect(frameOf(dialog).getByText('Hi harbour-olive,')).toBeVisible()
  await dialog.getByRole('tab', { name: 'Plain text' }).click()
  await expect(dialog.getByText('Your username is harbour-olive.')).toBeVisible()
  await inEachLook(admin, () => expectAccessible(admin))

  await dialog.getByRole('button', { name: 'Resend' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.locator('.toast')).toContainText('Email queued')
  await expect(open).toBeFocused()
  await expect.poll(() => sink.mails.filter(({ to }) => to[0] === 'harbour-olive@example.org').length).toBe(2)
  await expect(row).toContainText('Sent')
})

test('a refused email shows the reason and can be resent @proof', async ({ admin, register, newCaller, sink }) => {
  sink.refuse({ at: 'rcpt', code: 550, message: 'no such person here' })
  await register({ username: 'nobody-there' }, await newCaller())
  await admin.goto('/admin/mails?status=failed')
  const row = rowOf(admin, 'nobody-there@example.org')
  await expect(row).toContainText('Failed')
  await expect(row).toContainText('no such person here')
  await inEachLook(admin, () => expectAccessible(admin))
  await row.getByRole('button', { name: /^Open email/ }).click()
  const dialog = admin.getByRole('dialog')
  await expect(dialog.getByText(/550 no such person here/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Resend' }).click()
  await expect(admin.getByText('No emails match')).toBeVisible()
  await expect.poll(() => sink.mails.some(({ to }) => to[0] === 'nobody-there@example.org')).toBe(true)
})

test('templates can be previewed and sent as a test @proof', async ({ admin, sink }) => {
  await admin.goto('/admin/mails?tab=templates')
  await expect(admin.getByRole('button', { name: /^Preview/ }).first()).toBeVisible()
  await inEachLook(admin, () => expectAccessible(admin))
  const preview = admin.getByRole('button', { name: 'Preview Payment confirmed' })
  await preview.focus()
  await admin.keyboard.press('Enter')
  const dialog = admin.getByRole('dialog', { name: 'Payment confirmed' })
  await expect(frameOf(dialog).getByRole('heading', { name: 'Your payment is confirmed' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Send test to me' }).click()
  await expect(admin.locator('.toast')).toContainText('Test email queued')
  await expect
    .poll(() => sink.mails.some((mail) => mail.text.includes('Your payment is confirmed'.toUpperCase())))
    .toBe(true)
  await admin.keyboard.press('Escape')
  await expect(preview).toBeFocused()
})

test('emails are accessible in light and dark, at desktop and phone width @proof', async ({ admin, newPage }) => {
  const page = await newPage()
  for (const template of sampled(['order_received', 'password_reset', 'refund_decided', 'welcome'], 2)) {
    const html = await (await admin.request.get(`/api/admin/mail-templates/${template}/document`)).text()
    await inEachLook(page, async () => {
      await page.setContent(html)
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html: at }) => at)])).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    })
  }
})
