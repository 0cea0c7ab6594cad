import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'

// Uses its own app, because later journeys would buy these plans.
test.use({ environment: { JOURNEYS: 'catalogue' } })

/** The row of an entry, found by its Edit button. */
const rowOf = (page: Page, name: string): Locator =>
  page.locator('li.entry').filter({ has: page.getByRole('button', { name: `Edit ${name}`, exact: true }) })
const editOf = (page: Page, name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog')
const names = (page: Page) => page.locator('li.entry .entry-title > span:first-child')
/** Changes a catalog entry as if from another window. */
async function changeElsewhere(page: Page, origin: string, path: string, data: object): Promise<void> {
  const response = await page.request.put(path, { data, headers: { origin } })
  expect(response.ok(), await response.text()).toBe(true)
}

test('the group and connections of a sold plan cannot change, it cannot be deleted, and no other plan on sale may have the same combination @proof', async ({
  app,
  register,
  newPage,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const customer = await register()
  const plans = (await (await customer.page.request.get('/api/plans')).json()) as { id: number; name: string }[]
  const { id } = plans.find(({ name }) => name === 'Big Beast: 6 Months, 5 Connections')!
  const bought = await customer.page.request.post('/api/create-invoice', {
    data: { planId: id, email: customer.email },
    headers: { origin: app.url },
  })
  expect(bought.ok()).toBe(true)

  const admin = await signInAdmin(await newPage())
  await admin.goto('/admin/catalogue')
  await editOf(admin, 'Big Beast: 6 Months, 5 Connections').click()
  const dialog = dialogOf(admin)
  await expect(dialog.getByText('This plan has been sold, so its group and connections cannot change.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeHidden()
  await expect(dialog.getByLabel('Group')).toBeHidden()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await admin.getByRole('button', { name: 'Add Plan' }).click()
  await dialog.getByLabel('Group').selectOption({ label: 'Big Beast (6 months)' })
  await dialog.getByLabel('Connections').fill('5')
  await dialog.getByLabel('Price for 6 months').fill('190')
  await dialog.getByRole('textbox', { name: 'Feature 1', exact: true }).fill('HD & 4K quality')
  await dialog.getByRole('button', { name: 'Add plan' }).click()
  await expect(admin.getByRole('dialog', { name: 'Add plan' }).getByRole('alert')).toContainText(
    'This group already has a plan with 5 Connections on sale. Hide that plan first.',
  )
  await expect(dialog.getByLabel('Price for 6 months')).toHaveValue('190')
  // Input is not lost by accident.
  await admin.keyboard.press('Escape')
  await admin
    .getByRole('alertdialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Discard' })
    .click()
  await expect(admin.getByRole('button', { name: 'Add Plan', exact: true })).toBeFocused()
})

test('FAQs are edited and reordered by keyboard; after a conflict the dialog shows the current values @proof', async ({
  app,
  page,
  newPage,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const admin = await signInAdmin(page)
  await admin.goto('/admin/catalogue?tab=faqs')
  await names(admin).first().waitFor()
  const [first, second] = await names(admin).allTextContents()

  // The keyboard moves the entry, and the focus follows it.
  await admin.getByRole('button', { name: `Move ${second} up` }).focus()
  await admin.keyboard.press('Enter')
  await expect(names(admin).first()).toHaveText(second!)
  await expect(admin.getByRole('button', { name: `Move ${second} up` })).toBeFocused()
  await admin.keyboard.press('Alt+ArrowDown')
  await expect(names(admin).first()).toHaveText(first!)
  await admin.keyboard.press('Alt+ArrowUp')
  await expect(names(admin).first()).toHaveText(second!)
  const visitor = await newPage()
  await visitor.goto('/faq')
  await expect(visitor.locator('.faqs summary').first()).toContainText(second!)

  await editOf(admin, second!).click()
  const dialog = dialogOf(admin)
  await expect(dialog.getByLabel('Question')).toBeFocused()
  const faqs = (await (await admin.request.get('/api/admin/faqs')).json()) as {
    id: number
    question: string
    version: number
  }[]
  const { id, version } = faqs.find(({ question }) => question === second)!
  await changeElsewhere(admin, app.url, `/api/admin/faqs/${id}`, {
    question: second,
    answer: 'An answer from elsewhere.',
    hidden: false,
    version,
  })
  await dialog.getByLabel('Answer').fill('My answer.')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByRole('alert').first()).toContainText('Another administrator has changed this question')
  await expect(dialog.getByLabel('Answer')).toHaveValue('My answer.')
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(dialog.getByLabel('Answer')).toHaveValue('An answer from elsewhere.')
  await dialog.getByLabel('Answer').fill('An answer both agree on.')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(editOf(admin, second!)).toBeFocused()
  await visitor.reload()
  await visitor.getByText(second!).click()
  await expect(visitor.getByText('An answer both agree on.')).toBeVisible()
})

test('a channel is added with a drawn mark, found and hidden; a device category is edited @proof', async ({
  page,
  newPage,
  signInAdmin,
}) => {
  const admin = await signInAdmin(page)
  const visitor = await newPage()
  await admin.goto('/admin/catalogue?tab=channels')
  await expect(admin.getByText(/^Showing 1 to 10 of \d+ channels$/)).toBeVisible()
  await admin.getByRole('button', { name: 'Add Channel' }).click()
  const dialog = dialogOf(admin)
  await dialog.getByLabel('Name').fill('Harbor Regatta')
  await dialog.getByLabel('Category').selectOption({ label: 'Sports' })
  await dialog.getByRole('textbox', { name: 'Logo' }).fill('https://elsewhere.example/logo.png')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Logo' })).toBeFocused()
  await expect(dialog.getByRole('textbox', { name: 'Logo' })).toHaveAccessibleDescription(
    /Please enter a path on this site/,
  )
  await dialog.getByRole('textbox', { name: 'Logo' }).fill('')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await expect(dialog).toBeHidden()
  await admin.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'Sports' })
  await admin.getByRole('searchbox').fill('regatta')
  await expect(admin.getByText('Showing 1 to 1 of 1 channels')).toBeVisible()
  await visitor.goto('/channels?category=sports')
  await expect(visitor.getByText('Harbor Regatta')).toBeVisible()
  await admin.getByRole('button', { name: 'Hide Harbor Regatta' }).click()
  await expect(admin.getByRole('row', { name: /Harbor Regatta/ })).toContainText('Hidden')
  await visitor.reload()
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(visitor.getByText('Harbor Regatta')).toBeHidden()

  await admin.getByRole('tab', { name: 'Device Categories' }).click()
  await editOf(admin, 'Amazon Fire TV').click()
  await dialog.getByRole('button', { name: 'Add device' }).click()
  await admin.keyboard.type('Fire TV Cube Mini')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(rowOf(admin, 'Amazon Fire TV')).toContainText('Fire TV Cube Mini')
  await visitor.goto('/devices')
  await expect(visitor.getByText('Fire TV Cube Mini')).toBeVisible()
})

test('a list that fails to load shows the reason and can be retried @proof', async ({
  page,
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 503/)
  const admin = await signInAdmin(page)
  const refusal = {
    status: 503,
    contentType: 'application/json',
    body: '{"message":"We cannot reach our records right now.","code":"unavailable"}',
  }
  await admin.route('**/api/admin/plans', (route) => route.fulfill(refusal))
  await admin.goto('/admin/catalogue')
  await expect(admin.getByRole('alert')).toContainText('We cannot reach our records right now.')
  await admin.unroute('**/api/admin/plans')
  await admin.getByRole('button', { name: 'Retry' }).click()
  await expect(editOf(admin, 'Little Beast: 1 Connection')).toBeVisible()
})

inEachLook({ height: 900 }, () => {
  test('every tab and a dialog with errors are accessible, and nothing scrolls sideways @proof', async ({
    page,
    signInAdmin,
  }) => {
    // Each accessibility check takes seconds on a busy machine.
    test.setTimeout(150_000)
    const admin = await signInAdmin(page)
    for (const tab of ['plans', 'channels', 'devices', 'faqs']) {
      await admin.goto(`/admin/catalogue?tab=${tab}`)
      await admin
        .getByRole('button', { name: /^Edit / })
        .first()
        .waitFor()
      await expectAccessible(admin)
      expect(
        await admin.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        tab,
      ).toBe(0)
    }
    await admin.goto('/admin/catalogue')
    await admin.getByRole('button', { name: 'Add Plan' }).click()
    await dialogOf(admin).getByRole('button', { name: 'Add plan' }).click()
    await dialogOf(admin).getByText('There is a problem').waitFor()
    await expectAccessible(admin)
  })
})

test('sample content is removed after one confirmation, and visitors no longer see it @proof', async ({
  page,
  newPage,
  signInAdmin,
}) => {
  const admin = await signInAdmin(page)
  await admin.goto('/admin/catalogue')
  const note = admin.getByText('The catalog still contains sample content')
  await expect(note).toContainText(/\d+ plans, \d+ channels/)
  for (const width of [390, 1440]) {
    await admin.setViewportSize({ width, height: 900 })
    await expectAccessible(admin)
  }
  await admin.getByRole('button', { name: 'Remove Sample Content' }).click()
  const question = admin.getByRole('alertdialog')
  await expect(question).toContainText('Only sample entries that were never edited and are not in use are removed.')
  await expectAccessible(admin)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(note).toBeVisible()
  await admin.getByRole('button', { name: 'Remove Sample Content' }).click()
  await question.getByRole('button', { name: 'Remove Sample Content' }).click()
  await expect(note).toBeHidden()
  const visitor = await newPage()
  await visitor.goto('/channels')
  await expect(visitor.getByText('Harbor Drama')).toHaveCount(0)
})
