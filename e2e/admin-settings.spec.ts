import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { openOrder } from './order.ts'

// Uses its own app, because later journeys would read these settings.
test.use({ environment: { JOURNEYS: 'settings' } })

const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' })
/** Waits until nothing is left to save. The toast alone is no proof, because it may belong to an earlier save. */
async function saved(page: Page): Promise<void> {
  await expect(page.getByText('Not saved yet')).toBeHidden()
  await expect(page.getByText('Settings saved', { exact: true })).toBeVisible()
}
/** Opens a section and waits until its form can be edited. */
async function open(page: Page, section: string): Promise<void> {
  await page.goto(`/admin/settings?section=${section}`)
  await expect(save(page)).toBeEnabled()
}

test('home, footer, legal pages and checkout show the changed settings to the next visitor @proof', async ({
  page,
  newPage,
  register,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 404/)
  const admin = await signInAdmin(page)
  const visitor = await newPage()
  // Twice: the second response comes from the cache for visitors.
  for (let visit = 0; visit < 2; visit++) await visitor.goto('/')
  await admin.goto('/admin')
  await admin.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Settings' }).click()

  await admin.getByLabel('Brand name').fill('Kiwi TV')
  await admin.getByLabel('Show the mascot').uncheck()
  await admin.getByRole('button', { name: 'Publish' }).click()
  await expect(admin.getByText('Brand published', { exact: true })).toBeVisible()
  await admin.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Contact' }).click()
  await admin.getByLabel('Contact email').fill('nobody')
  await save(admin).click()
  await expect(admin.getByLabel('Contact email')).toBeFocused()
  await expect(admin.getByLabel('Contact email')).toHaveAccessibleDescription('Please enter a valid email address')
  await admin.getByLabel('Contact email').fill('hello@kiwi.example')
  await admin.keyboard.press('Enter')
  await saved(admin)

  await admin.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Marketing Claims' }).click()
  await admin.getByLabel('Live channels').fill('12,345+')
  await save(admin).click()
  await saved(admin)
  await admin.getByRole('link', { name: 'Social Links' }).click()
  await admin.getByRole('button', { name: 'Add link' }).click()
  await admin.getByLabel('Name').fill('Our blog')
  await admin.getByLabel('Address').fill('blog')
  await save(admin).click()
  await expect(admin.getByLabel('Address')).toBeFocused()
  await admin.getByLabel('Address').fill('https://blog.kiwi.example/')
  await save(admin).click()
  await saved(admin)
  await visitor.goto('/')
  await expect(visitor).toHaveTitle(/^Kiwi TV/)
  await expect(visitor.getByText('12,345+ Live Channels').first()).toBeVisible()
  await expect(visitor.getByRole('contentinfo').getByRole('link', { name: 'hello@kiwi.example' })).toBeVisible()
  await expect(visitor.getByRole('contentinfo').getByRole('link', { name: 'Our blog' })).toHaveAttribute(
    'href',
    'https://blog.kiwi.example/',
  )

  for (const path of ['/', '/pricing', '/setup', '/nothing-is-here', '/request-trial']) {
    await visitor.goto(path)
    await expect(visitor.locator('svg.mascot')).toHaveCount(0)
  }
  await visitor.goto('/setup')
  await expect(visitor.getByText('choose Kiwi TV from the list')).toBeVisible()

  await open(admin, 'terms')
  await expect(admin.getByRole('heading', { name: 'Preview of the standard text' })).toBeVisible()
  await admin.getByRole('textbox', { name: 'Text' }).fill('## Our house rules\n\nWrite to {email}. <b>Not bold</b>')
  await expect(admin.getByRole('heading', { name: 'Our house rules' })).toBeVisible()
  await expect(admin.getByText('Write to hello@kiwi.example. <b>Not bold</b>')).toBeVisible()
  await save(admin).click()
  await saved(admin)
  await visitor.goto('/terms')
  await expect(visitor.getByRole('heading', { name: 'Our house rules' })).toBeVisible()

  await open(admin, 'payments')
  await admin.getByLabel('Cash App cashtag').fill('$KiwiTV')
  await admin.getByRole('button', { name: 'Add line' }).click()
  await admin.getByRole('textbox', { name: 'Line 1', exact: true }).fill('Kiwi TV Limited')
  await save(admin).click()
  await saved(admin)
  await register({}, visitor)
  const { invoiceNumber } = await openOrder(visitor)
  await visitor.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await expect(visitor.getByText('$KiwiTV').first()).toBeVisible()
})

test('unsaved changes survive an attempt to leave the page and a save by another administrator @proof', async ({
  app,
  page,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const admin = await signInAdmin(page)
  await open(admin, 'referrals')
  const trials = admin.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Trials' })
  await admin.getByLabel('Percent').fill('21')
  await trials.click()
  const question = admin.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toBeHidden()
  await expect(admin.getByLabel('Percent')).toHaveValue('21')

  const { version } = (await (await admin.request.get('/api/admin/settings/referrals')).json()) as { version: string }
  const faster = await admin.request.put('/api/admin/settings/referrals', {
    data: { version, value: { percent: 18 } },
    headers: { origin: app.url },
  })
  expect(faster.ok()).toBe(true)
  await save(admin).click()
  await expect(admin.getByRole('form').getByText('Another administrator has changed these settings.')).toBeVisible()
  await expect(admin.getByLabel('Percent')).toHaveValue('21')
  await admin.getByRole('button', { name: 'Reload' }).click()
  await expect(admin.getByLabel('Percent')).toHaveValue('18')
  await admin.getByLabel('Percent').fill('200')
  await save(admin).click()
  await expect(admin.getByLabel('Percent')).toHaveAccessibleDescription('Please enter a whole number from 0 to 100')
  await admin.getByLabel('Percent').fill('15')
  await save(admin).click()
  await saved(admin)

  await admin.getByLabel('Percent').fill('99')
  await trials.click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(admin.getByLabel('Hours a trial typically lasts')).toBeVisible()
})

inEachLook({ height: 900 }, () => {
  test('sections and a form with errors are accessible, and nothing scrolls sideways @proof', async ({
    page,
    signInAdmin,
  }) => {
    // Each accessibility check takes seconds on a busy machine.
    test.setTimeout(150_000)
    const admin = await signInAdmin(page)
    for (const section of ['payments', 'chat', 'terms']) {
      await open(admin, section)
      await expectAccessible(admin)
      expect(
        await admin.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        section,
      ).toBe(0)
    }
    await open(admin, 'socials')
    await admin.getByRole('button', { name: 'Add link' }).click()
    await save(admin).click()
    await admin.getByText('There is a problem').waitFor()
    await expectAccessible(admin)
  })
})
