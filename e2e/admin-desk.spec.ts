import type { Locator, Page } from '@playwright/test'
import { type Caller, type Customer, expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'

type Report = { id: number; status: string; adminNotes: string | null }
const test = journey.extend<{
  admin: Page
  /** Sends a request as the pages would. */
  write: (as: Caller, method: 'post' | 'put', path: string, data: object) => Promise<unknown>
  report: (person: Customer<Caller>, contentName: string) => Promise<Report>
  ask: (person: Customer<Caller>) => Promise<{ id: number }>
}>({
  admin: async ({ page, signInAdmin }, use) => use(await signInAdmin(page)),
  write: async ({ app }, use) => {
    await use(async (as, method, path, data) => {
      const response = await as.request[method](path, { data, headers: { origin: app.url } })
      expect(response.ok(), `${path}: ${await response.text()}`).toBe(true)
      return response.json()
    })
  },
  report: async ({ write }, use) => {
    const rest = { contentType: 'tvshow', issue: 'buffering', description: 'Every evening after eight.' }
    await use(
      async ({ page }, contentName) => (await write(page, 'post', '/api/reports', { contentName, ...rest })) as Report,
    )
  },
  ask: async ({ write }, use) => {
    const wish = { device: 'Fire TV in the kitchen', message: 'Hockey in the evening,\nand the news in the morning.' }
    await use(async ({ page }) => (await write(page, 'post', '/api/trial-requests', wish)) as { id: number })
  },
})

/** Opens a page and waits for the first message on its WebSocket. From then on the page receives all change events. */
async function openLive(page: Page, address: string): Promise<void> {
  const firstMessage = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'))
  await page.goto(address)
  await firstMessage
}
const range = (page: Page) => page.getByText(/^Showing \d+ to \d+ of \d+/)
const rowOf = (page: Page, text: string) => page.locator('tbody').getByRole('row').filter({ hasText: text })
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const toastOf = (page: Page) => page.locator('.toast')
const countIn = async (page: Page, tab: string) =>
  Number((await page.getByRole('tab', { name: tab }).first().innerText()).replace(/\D/g, ''))

/** Presses Tab until the element has the focus. */
async function tabTo(element: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await element.evaluate((node) => node === document.activeElement)) return
    await element.page().keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${element}`)
}

const updateReport = 'Update Report Status'
const manageTrial = 'Manage Trial Request'

test('a new report appears without a reload, is resolved by keyboard, and its author’s open page is updated', async ({
  admin,
  register,
  newPage,
  report,
}) => {
  const person = await register({}, await newPage())
  const name = `Harbor ${person.username}`
  await openLive(admin, '/admin?tab=reports')
  await range(admin).waitFor()
  const before = await countIn(admin, 'Reports')
  await person.page.goto('/dashboard?tab=reports')
  const { id } = await report(person, name)
  const row = rowOf(admin, name)
  for (const text of [String(id), person.username, 'TV Show', 'Buffering', 'Pending'])
    await expect(row).toContainText(text)
  for (const heading of ['ID', 'User', 'Content Type', 'Content Name', 'Issue', 'Status', 'Submitted', 'Resolved'])
    await expect(admin.getByRole('columnheader', { name: heading, exact: true })).toBeVisible()
  await expect(async () => expect(await countIn(admin, 'Reports')).toBe(before + 1)).toPass()

  const button = admin.getByRole('button', { name: `Update Status of report ${id}`, exact: true })
  await tabTo(button)
  await admin.keyboard.press('Enter')
  const dialog = dialogOf(admin, updateReport)
  const notes = dialog.getByLabel('Admin Notes')
  await expect(dialog.getByLabel('Status')).toBeFocused()
  for (const fact of [person.email, 'Every evening after eight.', name])
    await expect(dialog.getByText(fact).first()).toBeVisible()
  expect(await notes.evaluate((element) => getComputedStyle(element).minHeight)).toBe('100px')
  await expect(notes).toHaveAccessibleDescription(/Not visible to users while the report is pending/)
  await dialog.getByLabel('Status').press('r')
  await dialog.getByLabel('Status').selectOption('resolved')
  await expect(notes).toHaveAccessibleDescription(/sees these notes/)
  await notes.pressSequentially('The feed was replaced.')
  await tabTo(dialog.getByRole('button', { name: 'Update Status' }))
  await admin.keyboard.press('Enter')

  await expect(dialog).toBeHidden()
  await expect(toastOf(admin)).toContainText('Report updated')
  await expect(button).toBeFocused()
  await expect(row).toContainText('Resolved')
  await expect(async () => expect(await countIn(admin, 'Reports')).toBe(before)).toPass()
  const own = person.page.getByRole('listitem').filter({ hasText: name })
  await expect(own).toContainText('Resolved')
  await expect(own).toContainText('The feed was replaced.')
})

test('a report decided by another administrator is not decided twice: the dialog shows who decided and reloads @proof', async ({
  admin,
  register,
  newCaller,
  report,
  write,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const person = await register({}, await newCaller())
  const { id } = await report(person, 'Summit Sports')
  // Without the socket this page is not notified of changes.
  await admin.routeWebSocket('/ws', () => undefined)
  await admin.goto(`/admin?tab=reports&search=%23${id}`)
  await rowOf(admin, 'Summit Sports').getByRole('button').click()
  const dialog = dialogOf(admin, updateReport)
  await dialog.getByLabel('Admin Notes').fill('Typed with care')
  await write(admin, 'put', `/api/admin/reports/${id}`, { status: 'dismissed', adminNotes: 'No fault found' })
  await dialog.getByRole('button', { name: 'Update Status' }).click()
  await expect(dialog.getByRole('alert')).toContainText('this report is now Dismissed. Nothing was changed.')
  await expect(toastOf(admin)).toContainText('Update Failed')
  await expect(dialog.getByLabel('Admin Notes')).toHaveValue('Typed with care')

  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(dialog.getByLabel('Status')).toHaveValue('dismissed')
  await expect(dialog.getByLabel('Status')).toBeFocused()
  await expect(dialog.getByLabel('Admin Notes')).toHaveValue('No fault found')
  await dialog.getByLabel('Status').selectOption('reviewing')
  await admin.keyboard.press('Escape')
  const question = admin.getByRole('alertdialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByRole('button', { name: 'Update Status' }).click()
  await expect(dialog).toBeHidden()
  await expect(rowOf(admin, 'Summit Sports')).toContainText('Under Review')
})

test('filters and search find reports; a message appears if nothing matches @proof', async ({
  admin,
  register,
  newCaller,
  report,
}) => {
  const person = await register({}, await newCaller())
  await report(person, `Fjord ${person.username}`)
  await openLive(admin, '/admin?tab=reports')
  await range(admin).waitFor()
  await admin.getByRole('searchbox').fill(`fjord ${person.username}`)
  await expect(range(admin)).toHaveText('Showing 1 to 1 of 1 reports')
  await admin.getByRole('combobox', { name: 'Status' }).selectOption('Dismissed')
  await expect(admin.getByText('No reports match')).toBeVisible()
  await admin.reload()
  await expect(admin.getByText('No reports match')).toBeVisible()
  await admin.route('**/api/admin/reports*', (route) => route.fulfill({ json: [], headers: { 'x-total-count': '0' } }))
  await admin.goto('/admin?tab=reports')
  await expect(admin.getByText('No reports submitted yet.')).toBeVisible()
})

test('a trial is approved: missing fields are named, and the customer’s open page shows the credentials @proof', async ({
  admin,
  register,
  newPage,
  ask,
  allowPageError,
}) => {
  allowPageError(/status of 400/)
  const person = await register({}, await newPage())
  await openLive(admin, '/admin?tab=trials')
  await range(admin).waitFor()
  await person.page.goto('/request-trial')
  const { id } = await ask(person)
  const row = rowOf(admin, person.username)
  for (const text of [person.email, 'Fire TV in the kitchen', 'Pending']) await expect(row).toContainText(text)
  const button = admin.getByRole('button', { name: `View/Edit request ${id} of ${person.username}` })
  await tabTo(button)
  await admin.keyboard.press('Enter')
  const dialog = dialogOf(admin, manageTrial)
  await expect(dialog.getByLabel('Status')).toBeFocused()
  await expect(dialog.getByText('Hockey in the evening,')).toBeVisible()
  await dialog.getByLabel('Status').selectOption('approved')
  await dialog.getByRole('button', { name: 'Update Request' }).click()
  const missing = 'Trial credentials and expiry date are required when approving a request'
  for (const label of ['Trial Username', 'Trial Server', 'Expiry Date'])
    await expect(dialog.getByLabel(label)).toHaveAccessibleDescription(new RegExp(missing))
  await expect(dialog.getByLabel('Trial Username')).toBeFocused()

  await dialog.getByLabel('Trial Username').fill('trial-user-77')
  await dialog.getByLabel('Trial Password').fill('secret-mango-77')
  await dialog.getByLabel('Trial Server').fill('http://line.example:8080')
  await dialog.getByLabel('Expiry Date').fill('2020-01-01T10:00')
  await dialog.getByRole('button', { name: 'Update Request' }).click()
  await expect(dialog.getByLabel('Expiry Date')).toHaveAccessibleDescription(/Please choose a time in the future/)
  await dialog.getByRole('button', { name: '24 hours from now' }).click()
  await dialog.getByRole('button', { name: 'Update Request' }).click()

  await expect(dialog).toBeHidden()
  await expect(toastOf(admin)).toContainText('Request Updated')
  // The row is no longer in this tab, so the focus moves to the list.
  await expect(admin.getByRole('region', { name: 'Trial Requests' })).toBeFocused()
  await expect(person.page.getByText('http://line.example:8080')).toBeVisible()
  await person.page.getByRole('button', { name: 'Reveal username' }).click()
  await expect(person.page.getByText('trial-user-77')).toBeVisible()
  await admin.getByRole('tab', { name: 'Approved' }).click()
  await rowOf(admin, person.username).getByRole('button').click()
  await expect(dialog.getByLabel('Trial Password')).toHaveValue('secret-mango-77')
  await expect(dialog.getByLabel('Trial Password')).toHaveAttribute('type', 'password')
  await dialog.getByRole('button', { name: 'Show password' }).click()
  await expect(dialog.getByLabel('Trial Password')).toHaveAttribute('type', 'text')
})

test('a trial is denied with a reason; a request from the same mailbox shows the earlier one @proof', async ({
  admin,
  register,
  newPage,
  newCaller,
  ask,
}) => {
  const word = `farm${Date.now().toString(36)}`
  const first = await register({ username: `${word}-a`, email: `${word}@example.org` }, await newPage())
  const second = await register({ username: `${word}-b`, email: `${word}+tv@example.org` }, await newCaller())
  await ask(first)
  await admin.goto(`/admin?tab=trials&search=${word}`)
  await rowOf(admin, first.username).getByRole('button').last().click()
  const dialog = dialogOf(admin, manageTrial)
  await dialog.getByLabel('Status').selectOption('denied')
  await dialog.getByRole('button', { name: 'Update Request' }).click()
  await expect(dialog.getByLabel('Admin Notes (required)')).toHaveAccessibleDescription(
    /Please tell the customer why the request is denied/,
  )
  await dialog.getByLabel('Admin Notes (required)').fill('One trial a household.')
  await dialog.getByRole('button', { name: 'Update Request' }).click()
  await expect(dialog).toBeHidden()
  await first.page.goto('/request-trial')
  await expect(first.page.getByText('One trial a household.')).toBeVisible()

  await ask(second)
  await expect(rowOf(admin, second.username)).toContainText('Same mailbox')
  await rowOf(admin, second.username).getByRole('button').last().click()
  await expect(
    dialog.getByText(`Other accounts with the same mailbox requested a trial: ${first.username}`),
  ).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Other requests by this customer or mailbox' })).toContainText('Denied')
})

test('the trial tabs show messages when they are empty and when they fail to load @proof', async ({
  admin,
  allowPageError,
}) => {
  allowPageError(/status of 503/)
  await admin.route('**/api/admin/trial-requests*', (route) =>
    route.fulfill({ json: [], headers: { 'x-total-count': '0' } }),
  )
  await admin.goto('/admin?tab=trials')
  for (const [tab, text] of [
    ['Pending', 'No pending trial requests found.'],
    ['Approved', 'No approved trial requests found.'],
    ['Denied', 'No denied trial requests found.'],
    ['All', 'No trial requests found.'],
  ] as const) {
    await admin.getByRole('tab', { name: tab }).click()
    await expect(admin.getByText(text, { exact: true })).toBeVisible()
  }
  await admin.goBack()
  await expect(admin.getByText('No denied trial requests found.')).toBeVisible()
  await admin.route('**/api/admin/trial-requests*', (route) =>
    route.fulfill({ status: 503, json: { message: 'We cannot reach our records right now.', code: 'unavailable' } }),
  )
  await admin.goto('/admin?tab=trials')
  await expect(admin.getByText('Error loading trial requests. Please try again later.')).toBeVisible()
})

inEachLook({ height: 900 }, ({ width }) => {
  test('reports and trials are accessible, lists and dialogs @proof', async ({
    admin,
    register,
    newCaller,
    report,
    ask,
  }) => {
    test.setTimeout(120_000)
    const person = await register({}, await newCaller())
    await report(person, 'Harbor News')
    await ask(person)
    for (const [tab, title] of [
      ['reports', updateReport],
      ['trials', manageTrial],
    ] as const) {
      await admin.goto(`/admin?tab=${tab}&search=${person.username}`)
      const button = rowOf(admin, person.username).getByRole('button').last()
      await button.waitFor()
      await expectAccessible(admin)
      expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await button.click()
      await dialogOf(admin, title).waitFor()
      await expectAccessible(admin)
    }
    await dialogOf(admin, manageTrial).getByLabel('Status').selectOption('approved')
    await dialogOf(admin, manageTrial).getByRole('button', { name: 'Update Request' }).click()
    await expect(dialogOf(admin, manageTrial).getByLabel('Trial Username')).toBeFocused()
    await expectAccessible(admin)
  })
})
