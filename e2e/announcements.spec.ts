import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { looks } from '../test/harness/looks.ts'
import { header } from '../test/harness/mail-parts.ts'
import { holdScript } from './hold-script.ts'
import { test } from './mail-journey.ts'

async function accessibleInEachLook(page: Page) {
  for (const { colorScheme, width } of looks()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Writes, reviews and publishes news that is also emailed. Returns its title. */
async function publishNews(admin: Page): Promise<string> {
  const title = `Twelve channels ${Date.now().toString(36)}`
  await admin.goto('/admin/announcements')
  await admin.getByRole('button', { name: 'New Announcement' }).first().click()
  const dialog = admin.getByRole('dialog', { name: 'New Announcement' })
  await dialog.getByRole('button', { name: 'Save and Review' }).click()
  await expect(dialog.getByLabel('Title')).toHaveAccessibleDescription(/enter a title/)
  await dialog.getByText('Emailed only to customers who want news.').click()
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('Summary').fill('They are part of every plan.')
  await dialog.getByLabel('Details').fill('You do not have to do anything.\n\nEnjoy.')
  await dialog.getByLabel('Link text').fill('See them')
  await dialog.getByLabel('Linked page').fill('elsewhere')
  await dialog.getByLabel('Email it to the customers').check()
  await dialog.getByRole('button', { name: 'Save and Review' }).click()
  await expect(dialog.getByLabel('Linked page')).toHaveAccessibleDescription(/path on this site/)
  await expect(dialog.getByLabel('Details')).toHaveValue(/Enjoy/)
  await dialog.getByLabel('Linked page').fill('/channels')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Save and Review' }).click()
  const review = admin.getByRole('dialog', { name: 'Review Announcement' })
  await expect(review.getByText(/customers? will get this email/)).toBeVisible()
  await review.getByRole('tab', { name: 'Plain text' }).click()
  await expect(review.getByText(/Unsubscribe: http/)).toBeVisible()
  await accessibleInEachLook(admin)
  await review.getByRole('button', { name: /^Publish and Email/ }).click()
  await expect(review).toBeHidden()
  return title
}

const announced = (page: Page) => page.getByRole('complementary', { name: 'Announcements' })

test('the checkbox for news emails shows the new value immediately after a click', async ({ page, register }) => {
  await register()
  await page.goto('/messages')
  const box = page.getByLabel('Email me about new channels')
  await expect(box).toBeEnabled()
  const shown = await box.evaluate(async (input: HTMLInputElement) => {
    input.click()
    // Microtasks only: the browser cannot render in between.
    for (let turn = 0; turn < 20; turn++) await null
    return input.checked
  })
  expect(shown).toBe(true)
  await expect(page.locator('.toast')).toContainText('News emails turned on')
})

test('the operator publishes news on the site, a visitor dismisses it, a customer reads it, and the operator withdraws it', async ({
  page,
  register,
  signInAdmin,
  newPage,
  allowPageError,
}) => {
  allowPageError(/status of 400/)
  await register()
  await page.goto('/messages')
  await page.getByLabel('Email me about new channels').check()
  await expect(page.locator('.toast')).toContainText('News emails turned on')
  await expectAccessible(page)
  const admin = await signInAdmin()
  const title = await publishNews(admin)
  const row = admin.getByRole('listitem').filter({ hasText: title })
  await expect(row).toContainText('On the site')

  const visitor = await newPage()
  await visitor.goto('/pricing')
  const bar = announced(visitor)
  await expect(bar).toContainText(title)
  await accessibleInEachLook(visitor)
  // The click is not lost while the script of the bar is still loading.
  const release = await holdScript(visitor, 'dismissed-announcements')
  await visitor.goto('/pricing', { waitUntil: 'commit' })
  await visitor.waitForFunction(() => !('takeClicks' in window), undefined, { timeout: 2_500 }).catch(() => undefined)
  await bar.getByRole('button', { name: `Dismiss: ${title}` }).click()
  await release()
  await expect(bar).toBeHidden()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(bar).toBeHidden()
  await page.goto('/messages')
  await expect(page.getByRole('listitem').filter({ hasText: title })).toContainText('Enjoy.')

  await row.getByRole('button', { name: 'Withdraw' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(row).toContainText('Withdrawn')
  await visitor.evaluate(() => localStorage.clear())
  await visitor.goto('/pricing')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(bar).toBeHidden()
})

test('a customer gets news by email and unsubscribes with the link in the email, without a login @proof', async ({
  page,
  register,
  signInAdmin,
  newPage,
  sink,
  allowPageError,
}) => {
  allowPageError(/status of 400/)
  const { email } = await register()
  await page.goto('/messages')
  await page.getByLabel('Email me about new channels').check()
  await expect(page.locator('.toast')).toContainText('News emails turned on')
  const admin = await signInAdmin()
  const title = await publishNews(admin)
  const row = admin.getByRole('listitem').filter({ hasText: title })
  // The job queues emails once a minute.
  await expect(row).toContainText(/[1-9]\d* of \d+ emailed/, { timeout: 90_000 })
  const received = () => sink.mails.find((mail) => mail.to.includes(email) && header(mail, 'subject') === title)
  await expect.poll(received).toBeDefined()
  const { pathname, search } = new URL(header(received()!, 'list-unsubscribe').slice(1, -1))
  const reader = await newPage()
  await reader.goto(pathname + search)
  await expectAccessible(reader)
  await reader.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(reader.getByText('You will no longer get news emails.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Email me about new channels')).not.toBeChecked()
})
