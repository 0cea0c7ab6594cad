import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { pngFile } from '../test/harness/pictures.ts'
import { planOf } from './order.ts'

test('an administrator uploads a logo and changes the hue; the preview shows it, and visitors see both after publishing', async ({
  page,
  newPage,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 400 .*\/api\/admin\/images/)
  const admin = await signInAdmin(page)
  const visitor = await newPage()
  await admin.goto('/admin/settings')
  const preview = admin.frameLocator('iframe[title^="Preview"]')
  await expect(preview.getByRole('heading', { level: 1, includeHidden: true })).toContainText('Unlimited Entertainment')

  await admin.getByLabel('Upload logo').setInputFiles({
    name: 'notes.png',
    mimeType: 'image/png',
    buffer: Buffer.from('not a picture'),
  })
  await expect(admin.getByRole('alert')).toContainText('The file is not an image')
  await admin.getByLabel('Upload logo').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await pngFile({ width: 300, height: 60, color: '#fffefd' }),
  })
  await expect(admin.getByText('Hard to see on the light theme')).toBeVisible()
  await expect(preview.locator('.top .logo-picture')).toBeVisible()
  await admin.getByRole('slider', { name: 'Hue' }).fill('150')
  await expect(admin.getByText('close to the color of success messages')).toBeVisible()
  await admin.getByRole('button', { name: 'Lagoon' }).click()
  await expect(
    admin
      .getByLabel('Contrast')
      .getByText(/needs? [34]/)
      .first(),
  ).toBeVisible()
  await admin.getByLabel('Headline').fill('All of it in one place')
  await expect(preview.locator('h1')).toHaveText('All of it in one place')
  const previewed = preview.locator('html')
  expect(await previewed.evaluate(() => innerWidth)).toBeGreaterThan(1_000)
  await admin.getByRole('button', { name: 'Phone' }).click()
  await expect.poll(() => previewed.evaluate(() => innerWidth)).toBeLessThan(600)
  await admin.getByLabel('Plan name for 1 month').fill('Small')
  await admin.getByLabel('Mascot for 1 month').selectOption('Plum, four horns')
  await admin.getByRole('button', { name: 'Email' }).click()
  const mail = admin.frameLocator('iframe[title^="Preview of an email"]')
  await expect(mail.getByRole('heading', { level: 1 })).toBeVisible()
  await admin.getByRole('button', { name: 'Checkout' }).click()
  await expect(preview.getByRole('heading', { level: 1, includeHidden: true })).toHaveText('Checkout')
  await admin.getByRole('button', { name: 'Home', exact: true }).click()
  await admin.getByLabel('Show the mascot').uncheck()
  await expect(preview.locator('.hero-copy')).toBeVisible()
  await admin.emulateMedia({ colorScheme: 'dark' })
  // Tall enough that the bars at the edges of the window do not cover a control.
  await admin.setViewportSize({ width: 390, height: 6000 })
  await expectAccessible(admin)

  await admin.getByRole('button', { name: 'Save Draft' }).click()
  await expect(admin.getByText('Draft saved', { exact: true })).toBeVisible()
  await visitor.goto('/')
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Unlimited Entertainment at Your Fingertips')
  await expect(visitor.locator('.logo-picture')).toHaveCount(0)

  await admin.getByRole('button', { name: 'Publish' }).click()
  await expect(admin.getByText('Brand published', { exact: true })).toBeVisible()
  await visitor.goto('/')
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('All of it in one place')
  await expect(visitor.locator('.top .logo-picture')).toBeVisible()
  await expect(visitor.locator('link[href="/accent/v1-195.css"]')).toHaveCount(1)
  await visitor.goto('/pricing')
  await expect(visitor).toHaveTitle('Plans and pricing – Choose Your Plan – SauceTV')
  await visitor.setViewportSize({ width: 390, height: 800 })
  await expect
    .poll(() => visitor.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--bar-ember')))
    .toBe('#00b2b2')

  await admin.getByRole('button', { name: 'Versions' }).click()
  await admin.getByRole('button', { name: 'Restore version' }).click()
  await expect(admin.getByText('Version restored', { exact: true })).toBeVisible()
  // The original brand is restored completely, so later specs can use the same app.
  await visitor.goto('/')
  await expect(visitor.locator('.logo-picture')).toHaveCount(0)
  await expect(visitor.locator('link[href^="/accent/"]')).toHaveCount(0)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Unlimited Entertainment at Your Fingertips')
  expect((await planOf(visitor, 1, 1)).name).toBe('Little Beast: 1 Connection')
})
