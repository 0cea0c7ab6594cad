import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { file, html } from '../test/harness/panel-modes.ts'
import { test } from './lineup.ts'

const stream = (stream_id: number, name: string, category_id: string) => ({
  stream_id,
  name,
  category_id,
  stream_type: 'live',
})

test.beforeEach(({ panel }) => {
  panel.watch.categories = [
    { category_id: '5', category_name: 'News from everywhere' },
    { category_id: '6', category_name: 'Package 12' },
  ]
  panel.watch.streams = [
    stream(1, 'US: Invented Harbor News ᴴᴰ', '5'),
    stream(2, 'Invented Lighthouse News', '5'),
    stream(3, 'Invented Garden', '6'),
    stream(4, '##### INVENTED #####', '6'),
  ]
})

test('an administrator previews the panel’s channels, chooses categories and imports them once', async ({
  page,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 400/)
  const admin = await signInAdmin(page)
  await admin.goto('/admin/catalogue?tab=import')
  const look = admin.getByRole('button', { name: 'Show what would be added' })
  await admin.getByLabel('Line username').fill('line')
  await admin.getByLabel('Line password').fill('wrong')
  await look.click()
  await expect(admin.getByLabel('Line password')).toHaveAccessibleDescription(/invalid/)
  await admin.getByLabel('Line password').fill(linePassword)
  await look.click()
  await expect(admin.getByText('2 channels would be added')).toBeVisible()
  await expect(admin.getByLabel('News from everywhere')).toHaveValue('news')
  await expect(admin.getByRole('region', { name: '1 name will be cleaned' })).toContainText(
    'US: Invented Harbor News ᴴᴰInvented Harbor News',
  )
  await expect(admin.getByText(/1 separator such as ##### INVENTED #####/)).toBeVisible()
  await admin.getByLabel('Package 12').selectOption('Entertainment')
  await expect(admin.getByText('3 channels would be added')).toBeVisible()
  await admin.getByRole('button', { name: 'Add 3 channels' }).click()
  await expect(admin.getByText('Added 3 channels')).toBeVisible()

  await look.click()
  await expect(admin.getByText('0 channels would be added')).toBeVisible()
  await admin.goto('/admin/catalogue?tab=channels&search=invented')
  await expect(admin.getByRole('button', { name: 'Show Invented Garden' })).toBeVisible()
})

test('the panel’s logos are shown after they are switched on, and the drawn marks after they are switched off @proof', async ({
  page,
  newPage,
  panel,
  signInAdmin,
}) => {
  const { origin } = new URL(panel.url)
  panel.logos.harbor = file(readFileSync(join(import.meta.dirname, '../public/icon-192.png')), 'image/png')
  panel.logos.garden = html(200)
  panel.watch.streams = [
    { ...stream(11, 'Invented Logo Harbor', '5'), stream_icon: `${origin}/logos/harbor` },
    { ...stream(12, 'Invented Logo Garden', '5'), stream_icon: `${origin}/logos/garden` },
  ]
  const admin = await signInAdmin(page)
  await admin.goto('/admin/catalogue?tab=import')
  const own = admin.getByLabel('Use the panel’s own logos')
  await expect(own).not.toBeChecked()
  await own.check()
  await expect(admin.getByText('The next import fetches the logos')).toBeVisible()
  await admin.getByLabel('Line username').fill('line')
  await admin.getByLabel('Line password').fill(linePassword)
  await admin.getByRole('button', { name: 'Show what would be added' }).click()
  await admin.getByLabel('Show them in the public lineup immediately').check()
  await admin.getByRole('button', { name: 'Add 2 channels' }).click()
  await expect(admin.getByText('1 of 2 logos are fetched. 1 failed')).toBeVisible()

  const visitor = await newPage()
  const logoOf = (name: string) => visitor.getByRole('button', { name: new RegExp(name) }).locator('img')
  await visitor.goto('/channels?category=news')
  await expect(logoOf('Invented Logo Harbor')).toHaveJSProperty('naturalWidth', 192)
  await expect(logoOf('Invented Logo Garden')).toHaveCount(0)
  await own.uncheck()
  await expect(admin.getByText('kept for when you switch this on again')).toBeVisible()
  await visitor.goto('/channels?category=news')
  await expect(visitor.getByRole('button', { name: /Invented Logo Harbor/ })).toBeVisible()
  await expect(logoOf('Invented Logo Harbor')).toHaveCount(0)
})

inEachLook({ height: 900 }, () => {
  test('the preview is accessible, and nothing scrolls sideways @proof', async ({ page, signInAdmin }) => {
    test.setTimeout(90_000)
    const admin = await signInAdmin(page)
    await admin.goto('/admin/catalogue?tab=import')
    await admin.getByLabel('Line username').fill('line')
    await admin.getByLabel('Line password').fill(linePassword)
    await admin.getByRole('button', { name: 'Show what would be added' }).click()
    await expect(admin.getByText(/\d channels would be added/)).toBeVisible()
    await admin.evaluate(() => window.scrollTo(0, 0))
    await expectAccessible(admin)
    expect(
      await admin.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0)
  })
})
