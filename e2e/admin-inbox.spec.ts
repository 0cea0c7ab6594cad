import type { Page } from '@playwright/test'
import { type Caller, expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'

type Write = (as: Caller, method: 'post' | 'put', path: string, data: object) => Promise<unknown>
const test = journey.extend<{ admin: Page; write: Write }>({
  admin: async ({ page, signInAdmin }, use) => use(await signInAdmin(page)),
  // Sends a request as the pages would.
  write: async ({ app }, use) => {
    await use(async (as, method, path, data) => {
      const response = await as.request[method](path, { data, headers: { origin: app.url } })
      expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
      return response.json()
    })
  },
})

/** Opens a page and waits for the first message on its WebSocket and for the first response of the list. */
async function openLive(page: Page, address: string): Promise<void> {
  const firstMessage = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
  await page.goto(address)
  await firstMessage
  await range(page).waitFor()
}
const range = (page: Page) => page.getByText(/^Showing \d+ to \d+ of \d+/)
const rowOf = (page: Page, text: string) => page.locator('tbody').getByRole('row').filter({ hasText: text })
const toastOf = (page: Page) => page.locator('.toast')
const word = () => `desk${Date.now().toString(36)}`

test('an inquiry appears without a reload and is marked as answered; another administrator’s change is not overwritten @proof', async ({
  admin,
  newPage,
  write,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const name = `Ada ${word()}`
  const visitor = await newPage()
  await openLive(admin, '/admin/inquiries')
  await visitor.goto('/contact')
  await visitor.getByLabel('Name').fill(name)
  await visitor.getByLabel('Email').fill('ada@hotel.example')
  await visitor.getByLabel('Message').fill('Do you offer a plan for a small hotel?\nTwelve rooms.')
  await visitor.getByRole('checkbox').check()
  await visitor.getByRole('button', { name: /send|submit/i }).click()
  await expect(rowOf(admin, name)).toContainText('Open')

  await rowOf(admin, name).getByRole('button').press('Enter')
  const dialog = admin.getByRole('dialog', { name: `Inquiry from ${name}` })
  for (const text of ['ada@hotel.example', 'Twelve rooms.', 'Wants the newsletter'])
    await expect(dialog.getByText(text)).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Reply by Email' })).toHaveAttribute(
    'href',
    /^mailto:ada@hotel\.example\?subject=/,
  )
  await dialog.getByLabel('Status').selectOption('answered')
  await dialog.getByLabel('Note').fill('Sent the hotel offer')
  const [{ id }] = (await (
    await admin.request.get(`/api/admin/inquiries?search=${encodeURIComponent(name)}`)
  ).json()) as [{ id: number }]
  await admin.routeWebSocket('/ws', () => undefined)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toastOf(admin)).toContainText('Inquiry updated')
  await expect(rowOf(admin, name)).toContainText('Answered')
  await expect(rowOf(admin, name).getByRole('button')).toBeFocused()

  await rowOf(admin, name).getByRole('button').click()
  await dialog.getByLabel('Note').fill('Called them')
  await write(admin, 'put', `/api/admin/inquiries/${id}`, { status: 'open', adminNotes: 'They wrote again' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert').first()).toContainText(/now open|now Open/)
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(dialog.getByLabel('Note')).toHaveValue('They wrote again')
  await admin.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('the status of several reports is set together, with a preview before and a list of unchanged reports afterwards @proof', async ({
  admin,
  register,
  newCaller,
  write,
}) => {
  const about = word()
  const person = await register({}, await newCaller())
  const ids: number[] = []
  for (const contentName of [`${about} one`, `${about} two`, `${about} three`]) {
    const made = await write(person.page, 'post', '/api/reports', {
      contentType: 'channel',
      contentName,
      issue: 'buffering',
    })
    ids.push((made as { id: number }).id)
  }
  await admin.routeWebSocket('/ws', () => undefined)
  await admin.goto(`/admin?tab=reports&search=${about}`)
  await expect(range(admin)).toHaveText('Showing 1 to 3 of 3 reports')
  await admin.getByRole('columnheader').getByRole('checkbox', { name: 'Select all on this page' }).check()
  await admin.getByRole('button', { name: 'Set status…' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Update 3 reports' })
  await dialog.getByLabel('Status').selectOption('resolved')
  await expect(dialog.getByRole('list', { name: 'Planned changes' }).getByRole('listitem')).toHaveCount(3)
  await expectAccessible(admin)
  await write(admin, 'put', `/api/admin/reports/${ids[1]}`, { status: 'dismissed' })
  await dialog.getByRole('button', { name: 'Update 3 reports' }).click()

  const result = admin.getByRole('dialog', { name: '2 of 3 reports changed' })
  await expect(result.getByText('Someone else changed the report; it is now Dismissed')).toBeVisible()
  await expect(toastOf(admin)).toContainText('Reports updated')
  await result.getByRole('button', { name: 'Done' }).click()
  await expect(result).toBeHidden()
  await expect(rowOf(admin, `${about} one`)).toContainText('Resolved')
  await expect(rowOf(admin, `${about} two`)).toContainText('Dismissed')
  await expect(admin.getByRole('toolbar', { name: 'Selected reports' })).toBeHidden()
})

test('the audit log shows who changed what, with links, and keeps its filters in the URL @proof', async ({
  admin,
  register,
  newCaller,
  write,
}) => {
  const about = word()
  const person = await register({}, await newCaller())
  const { id } = (await write(person.page, 'post', '/api/reports', {
    contentType: 'movie',
    contentName: about,
    issue: 'other',
  })) as { id: number }
  const today = new Date().toISOString().slice(0, 10)
  await write(admin, 'put', `/api/admin/reports/${id}`, { status: 'reviewing', adminNotes: 'Asked the provider' })
  // The longest names of actions and targets, so that the filters are as wide as possible.
  await admin.route('**/api/admin/audit/words', (route) =>
    route.fulfill({
      json: { actions: ['report.update', 'user.confirm_password_reset'], targetTypes: ['report', 'device_category'] },
    }),
  )
  await admin.goto('/admin')
  await admin.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Audit Log' }).click()
  await range(admin).waitFor()
  await admin.getByRole('combobox', { name: 'Action' }).selectOption('Report updated')
  await admin.getByLabel('From').fill(today)
  await expect(admin).toHaveURL(/action=report\.update/)
  await admin.setViewportSize({ width: 1440, height: 900 })
  const middles = await admin
    .locator('.table-tools > :visible')
    .evaluateAll((tools) =>
      tools.map((tool) => tool.getBoundingClientRect()).map(({ top, height }) => top + height / 2),
    )
  expect(Math.max(...middles) - Math.min(...middles), 'all tools are on one row').toBeLessThan(4)
  await admin.getByRole('searchbox').fill(`#${id}`)
  await expect(range(admin)).toHaveText('Showing 1 to 1 of 1 entries')
  await admin.reload()
  await expect(range(admin)).toHaveText('Showing 1 to 1 of 1 entries')
  await expect(admin.getByRole('combobox', { name: 'Action' })).toHaveValue('report.update')
  const row = rowOf(admin, `Report #${id}`)
  for (const text of ['admin', 'Report updated', 'Status: pending → reviewing, 1 more'])
    await expect(row).toContainText(text)

  await row.getByRole('button').press('Enter')
  const dialog = admin.getByRole('dialog', { name: 'Report updated' })
  await expect(dialog.getByRole('list', { name: 'Changed fields' }).getByRole('listitem')).toHaveCount(2)
  await expect(dialog.getByText('Asked the provider')).toBeVisible()
  await expect(dialog.getByText(/^[0-9a-f-]{36}$/)).toBeVisible()
  await admin.keyboard.press('Escape')
  await expect(row.getByRole('button')).toBeFocused()
  await row.getByRole('link', { name: `Report #${id}` }).click()
  await expect(rowOf(admin, about)).toContainText('Under Review')

  await admin.goto('/admin/audit?action=nothing.like.this&from=1999-99-99&page=7')
  await expect(admin.getByText('No entries match')).toBeVisible()
  await admin.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect(range(admin)).toHaveText(/^Showing 1 to/)
  await expect(rowOf(admin, 'Report').first()).toBeVisible()
})

test('a customer who opens these pages is redirected to the account @proof', async ({ page, register }) => {
  await register()
  for (const path of ['/admin/inquiries', '/admin/audit']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/dashboard$/)
  }
})

inEachLook({ height: 900 }, ({ width }) => {
  test('inquiries and audit log are accessible, lists and dialogs @proof', async ({ admin, write }) => {
    test.setTimeout(120_000)
    await write(admin, 'post', '/api/inquiries', {
      name: 'Bo Lind',
      email: 'bo@mail.example',
      message: 'Which plan has the most sports?',
    })
    for (const path of ['/admin/inquiries', '/admin/audit']) {
      await admin.goto(path)
      const button = admin.locator('tbody').getByRole('row').first().getByRole('button')
      await button.waitFor()
      await expectAccessible(admin)
      expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await button.click()
      await admin.getByRole('dialog').waitFor()
      await expectAccessible(admin)
    }
  })
})
