import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'

const test = journey.extend<{ admin: Page }>({
  admin: async ({ page, signInAdmin }, use) => use(await signInAdmin(page)),
})

const toastOf = (page: Page) => page.locator('.toast')
const range = (page: Page) => page.getByText(/^Showing \d+ to \d+ of \d+/)
const day = (fromToday: number) => new Date(Date.now() + fromToday * 86_400_000).toISOString().slice(0, 10)

/** Opens a tab with the list filtered to one user. */
async function open(admin: Page, tab: string, username: string): Promise<void> {
  await admin.goto(`/admin?tab=${tab}&search=${username}`)
  await expect(range(admin)).toHaveText('Showing 1 to 1 of 1 users')
}

/** Returns the id of a user from the user list. */
async function idOf(admin: Page, username: string): Promise<number> {
  const [user] = (await (await admin.request.get(`/api/admin/users?search=${username}`)).json()) as { id: number }[]
  return user!.id
}

/** Presses Tab until the element has the focus. */
async function tabTo(element: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await element.evaluate((node) => node === document.activeElement)) return
    await element.page().keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${element}`)
}

test('a subscription is set with only the keyboard: the effect is previewed, the customer sees it without a reload', async ({
  admin,
  newPage,
  register,
}) => {
  const customer = await register({}, await newPage())
  await customer.page.goto('/dashboard')
  await expect(customer.page.getByText('No Active Subscription')).toBeVisible()
  await open(admin, 'subscriptions', customer.username)
  await expect(admin.getByRole('navigation', { name: 'Pages of users' })).toBeHidden()
  await expect(admin.getByLabel('Rows per page')).toHaveValue('5')

  const manage = admin.getByRole('button', { name: `Manage ${customer.username}` })
  await tabTo(manage)
  await admin.keyboard.press('Enter')
  const dialog = admin.getByRole('dialog', { name: 'Manage Subscription' })
  await expect(dialog.getByLabel('Plan')).toBeFocused()
  await expect(dialog.getByLabel('Plan')).toHaveValue('none')
  await dialog.getByLabel('Status').selectOption('active')
  await tabTo(dialog.getByRole('button', { name: 'Update Subscription' }))
  await admin.keyboard.press('Enter')
  await expect(dialog.getByLabel('Plan')).toBeFocused()
  await expect(dialog.getByLabel('Plan')).toHaveAccessibleDescription('An active subscription needs a plan')

  await dialog.getByLabel('Plan').selectOption({ label: 'Little Beast: 2 Connections' })
  await dialog.getByLabel('Start Date').fill(day(3))
  await dialog.getByLabel('End Date').fill(day(1))
  await dialog.getByRole('button', { name: 'Update Subscription' }).click()
  await expect(dialog.getByLabel('End Date')).toHaveAccessibleDescription(
    'The end date must not be before the start date',
  )
  const today = day(0)
  await dialog.getByRole('button', { name: '1 month from today' }).click()
  await expect(dialog.getByLabel('Start Date')).toHaveValue(new RegExp(`^(${today}|${day(0)})$`))
  const effect = dialog.getByRole('table', { name: 'What changes' })
  await expect(effect.getByRole('row', { name: /^Plan/ })).toHaveText('PlanNo PlanLittle Beast: 2 Connections')
  await expect(effect.getByRole('row', { name: /^Status/ })).toHaveText('StatusNoneActive')
  await expect(effect.getByRole('row', { name: /^Connections/ })).toHaveText('Connections-2 connections')
  await tabTo(dialog.getByRole('button', { name: 'Update Subscription' }))
  await admin.keyboard.press('Enter')

  await expect(dialog).toBeHidden()
  await expect(toastOf(admin)).toContainText('Subscription updated')
  await expect(manage).toBeFocused()
  await expect(admin.getByRole('row', { name: new RegExp(customer.username) })).toContainText('Active')
  await expect(customer.page.getByText('2 Connections').first()).toBeVisible()

  // A dialog with changes asks before it closes, and "No Plan" can be selected.
  await admin.keyboard.press('Enter')
  await dialog.getByLabel('Plan').selectOption('none')
  await admin.keyboard.press('Escape')
  await admin
    .getByRole('alertdialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Keep editing' })
    .click()
  await dialog.getByLabel('Status').selectOption('cancelled')
  await dialog.getByRole('button', { name: 'Update Subscription' }).click()
  await expect(admin.getByRole('row', { name: new RegExp(customer.username) })).toContainText('Cancelled')
})

test('after a change by another administrator the subscription dialog shows the current values and saves edits based on them @proof', async ({
  app,
  admin,
  newCaller,
  register,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const customer = await register({}, await newCaller())
  const id = await idOf(admin, customer.username)
  // With the WebSocket blocked, only the response to the save contains the change.
  await admin.routeWebSocket('**/ws', () => undefined)
  await open(admin, 'subscriptions', customer.username)
  await admin.getByRole('button', { name: `Manage ${customer.username}` }).click()
  const dialog = admin.getByRole('dialog', { name: 'Manage Subscription' })
  await dialog.getByLabel('Status').selectOption('expired')
  const elsewhere = await admin.request.put(`/api/admin/users/${id}/subscription`, {
    data: { planId: null, status: 'pending' },
    headers: { origin: app.url },
  })
  expect(elsewhere.ok()).toBe(true)
  await dialog.getByRole('button', { name: 'Update Subscription' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'Someone else changed this subscription first. It is now pending, no plan. Nothing was changed.',
  )
  await expect(dialog.getByLabel('Status')).toHaveValue('expired')
  await dialog.getByRole('button', { name: 'Reload' }).click()
  await expect(dialog.getByLabel('Status')).toHaveValue('pending')
  await dialog.getByLabel('Status').selectOption('none')
  await dialog.getByRole('button', { name: 'Update Subscription' }).click()
  await expect(dialog).toBeHidden()
})

test('a role change updates open pages, and the last administrator keeps the role @proof', async ({
  admin,
  newPage,
  register,
  allowPageError,
}) => {
  allowPageError(/status of (409|403)/)
  const person = await register({}, await newPage())
  await person.page.goto('/dashboard')
  await open(admin, 'roles', person.username)
  const change = admin.getByRole('button', { name: `Change Role of ${person.username}` })
  await change.click()
  const dialog = admin.getByRole('alertdialog', { name: 'Change User Role' })
  await admin.mouse.click(4, 4)
  await expect(dialog.getByText('Admins have full access to manage the system')).toBeVisible()
  await dialog.getByRole('radio', { name: /^Administrator/ }).check()
  await dialog.getByRole('button', { name: 'Update Role' }).click()
  await expect(toastOf(admin)).toContainText(`${person.username} is now an administrator.`)
  await expect(change).toBeFocused()
  await expect(person.page.getByRole('link', { name: 'Admin', exact: true })).toBeVisible()

  await person.page.goto('/admin')
  await range(person.page).waitFor()
  await change.click()
  await dialog.getByRole('radio', { name: /^Regular User/ }).check()
  await dialog.getByRole('button', { name: 'Update Role' }).click()
  await expect(person.page).toHaveURL(/\/dashboard$/)

  await open(admin, 'roles', 'admin@')
  await admin.getByRole('button', { name: 'Change Role of admin' }).click()
  await dialog.getByRole('radio', { name: /^Regular User/ }).check()
  await expect(dialog.getByText('you will lose access to the Admin Panel immediately')).toBeVisible()
  await dialog.getByRole('button', { name: 'Update Role' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This is the last administrator.')
  await admin.keyboard.press('Escape')
  await admin.getByRole('button', { name: 'Reset Password of admin' }).click()
  await expect(admin.getByRole('alertdialog', { name: 'Reset User Password' })).toContainText(
    'change your own password in My Account',
  )
})

test('after a password reset by an administrator the customer must set a new password first @proof', async ({
  admin,
  newPage,
  register,
  allowPageError,
}) => {
  allowPageError(/status of 401/)
  const person = await register({}, await newPage())
  await person.page.goto('/dashboard')
  await open(admin, 'roles', person.username)
  const reset = admin.getByRole('button', { name: `Reset Password of ${person.username}` })
  await reset.click()
  const dialog = admin.getByRole('alertdialog', { name: 'Reset User Password' })
  await expect(dialog.getByLabel('New Password')).toHaveAccessibleDescription('At least 6 characters')
  await dialog.getByLabel('New Password').fill('temporary-1')
  await dialog.getByLabel('Confirm Password').fill('temporary-2')
  await dialog.getByRole('button', { name: 'Reset Password' }).click()
  await expect(dialog.getByLabel('Confirm Password')).toHaveAccessibleDescription('Passwords do not match')
  await dialog.getByLabel('Confirm Password').fill('temporary-1')
  await dialog.getByRole('button', { name: 'Reset Password' }).click()
  await expect(toastOf(admin)).toContainText('Password reset')
  await expect(reset).toBeFocused()

  // The open page of the ended session goes to the login.
  const { page } = person
  await expect(page).toHaveURL(/\/auth/)
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill('temporary-1')
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await expectAccessible(page)
  for (const path of ['/dashboard', '/', '/invoices']) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/choose-password/)
  }
  await page.goto('/invoices')
  await page.getByLabel('Current Password').fill('temporary-1')
  await page.getByLabel('New Password', { exact: true }).fill('a-horse-of-my-own')
  await page.getByLabel('Confirm New Password').fill('a-horse-of-my-own')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await expect(page).toHaveURL(/\/invoices$/)
  await expect(page.getByRole('heading', { name: 'Your Invoices' })).toBeVisible()
  await page.goto('/choose-password')
  await expect(page).toHaveURL(/\/$/)
})

/** Opens a dialog from the menu beside the actions of the customer's page. */
async function fromMenu(admin: Page, action: string): Promise<void> {
  await admin.getByRole('button', { name: 'More actions' }).click()
  await admin.getByRole('button', { name: action }).click()
}

test('a customer’s page shows what happened in plain words, filters it, and decides open items in place', async ({
  app,
  admin,
  newCaller,
  register,
  allowPageError,
}) => {
  allowPageError(/status of (409|404)/)
  const customer = await register({ fullName: 'Carla Customer' }, await newCaller())
  const report = { contentType: 'channel', contentName: 'Harbor Sports 2', issue: 'buffering' }
  const headers = { origin: app.url }
  expect((await customer.page.request.post('/api/reports', { data: report, headers })).ok()).toBe(true)
  await open(admin, 'users', customer.username)
  await admin.getByRole('link', { name: customer.username }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Carla Customer' })).toBeFocused()
  const timeline = admin.getByRole('region', { name: 'Timeline' })
  await expect(timeline.getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect(timeline).toContainText('Account created')

  await fromMenu(admin, 'Adjust Credit')
  const dialog = admin.getByRole('dialog', { name: 'Adjust Credit' })
  const send = dialog.getByRole('button', { name: 'Adjust Credit' })
  await send.click()
  await expect(dialog.getByRole('alert')).toContainText('Please give a reason')
  await dialog.getByLabel('Amount in dollars').fill('12.50')
  await dialog.getByLabel('Reason').fill('For the trouble last week')
  await expect(dialog.getByText('Balance: $0.00 +$12.50 = $12.50')).toBeVisible()
  await send.click()
  await expect(toastOf(admin)).toContainText(`${customer.username} now has $12.50.`)
  await expect(admin.getByRole('button', { name: 'More actions' })).toBeFocused()
  await expect(timeline).toContainText('Account credit adjusted by +$12.50')
  await expect(timeline).toContainText('“For the trouble last week”, by admin')

  await fromMenu(admin, 'Adjust Credit')
  await dialog.getByLabel('Action').selectOption('take')
  await dialog.getByLabel('Amount in dollars').fill('20')
  await dialog.getByLabel('Reason').fill('Too much of it')
  await expect(dialog.getByText('The balance cannot become negative.')).toBeVisible()
  await send.click()
  await expect(dialog.getByRole('alert')).toContainText('The balance is only $12.50')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  const requests = timeline.getByRole('button', { name: /^Requests/ })
  await expect(requests).toHaveText('Requests1')
  await requests.click()
  await expect(admin).toHaveURL(/filter=requests/)
  await expect(timeline.getByRole('listitem')).toHaveText([/Reported Harbor Sports 2: buffering/])
  await timeline.getByRole('button', { name: /^Update Status/ }).click()
  const decision = admin.getByRole('dialog', { name: 'Update Report Status' })
  await decision.getByLabel('Status').selectOption('resolved')
  await decision.getByRole('button', { name: 'Update Status' }).click()
  await expect(decision).toBeHidden()
  await expect(timeline.getByRole('listitem').first()).toContainText('Report of Harbor Sports 2 is now Resolved')
  await expect(timeline.getByRole('button', { name: /^Update Status/ })).toHaveCount(0)
  await admin.reload()
  await expect(requests).toHaveAttribute('aria-pressed', 'true')

  await admin.goto('/admin/users/2147483647')
  await expect(admin.getByRole('heading', { level: 1, name: 'User not found' })).toBeVisible()
})

test('the command palette finds users, invoices and tabs by keyboard, and restores the focus', async ({
  app,
  admin,
  newCaller,
  register,
}) => {
  const customer = await register({}, await newCaller())
  const [plan] = (await (await customer.page.request.get('/api/plans')).json()) as { id: number }[]
  const order = { data: { planId: plan!.id, email: customer.email }, headers: { origin: app.url } }
  const { invoiceNumber } = (await (await customer.page.request.post('/api/create-invoice', order)).json()) as {
    invoiceNumber: string
  }
  await admin.goto('/admin')
  await range(admin).waitFor()
  const search = admin.getByRole('searchbox')
  await search.focus()
  await admin.keyboard.press('Control+k')
  const palette = admin.getByRole('dialog', { name: 'Search or run a command' })
  const box = palette.getByRole('combobox')
  await expect(box).toBeFocused()
  await admin.keyboard.press('Escape')
  await expect(search).toBeFocused()

  // A dialog that is still closing does not keep the shortcut from opening it again.
  await admin.emulateMedia({ reducedMotion: 'no-preference' })
  await admin.keyboard.press('Control+k')
  await expect(box).toBeFocused()
  await admin.keyboard.press('Escape')
  await admin.keyboard.press('Control+k')
  await expect(admin.locator('.dialog[data-open]')).toBeVisible()
  await box.fill('subscr')
  await expect(palette.getByRole('option', { name: /^Subscriptions/ })).toHaveAttribute('aria-selected', 'true')
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('tab', { name: 'Subscriptions' })).toHaveAttribute('aria-selected', 'true')

  await admin.keyboard.press('Control+k')
  await box.fill(customer.username)
  const person = palette.getByRole('option', { name: new RegExp(`^${customer.username}`) })
  const bill = palette.getByRole('option', { name: new RegExp(`^${invoiceNumber}`) })
  await expect(bill).toBeVisible()
  await expect(box).toHaveAttribute('aria-activedescendant', (await person.getAttribute('id')) ?? 'none')
  await admin.keyboard.press('ArrowDown')
  await expect(bill).toHaveAttribute('aria-selected', 'true')
  await admin.keyboard.press('ArrowUp')
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('heading', { level: 1, name: customer.username })).toBeFocused()

  await admin.keyboard.press('Control+k')
  await box.fill(invoiceNumber.toLowerCase())
  await expect(bill).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(admin)
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('row', { name: new RegExp(invoiceNumber) })).toBeVisible()

  await admin.getByRole('button', { name: /^Search or run a command/ }).click()
  await box.fill('nobody at all')
  await expect(palette.getByRole('status')).toHaveText('Nothing found')
  await admin.keyboard.press('Enter')
  await expect(palette).toBeVisible()
})

inEachLook({ height: 900 }, ({ width }) => {
  test('lists, dialogs and the customer’s page are accessible @proof', async ({ app, admin, newCaller, register }) => {
    test.setTimeout(180_000)
    const customer = await register({}, await newCaller())
    const id = await idOf(admin, customer.username)
    const write = (path: string, method: 'put' | 'post', data: object) =>
      admin.request[method](`/api/admin/users/${id}/${path}`, { data, headers: { origin: app.url } })
    expect((await write('subscription', 'put', { planId: null, status: 'pending', endDate: day(5) })).ok()).toBe(true)
    expect((await write('credit', 'post', { amount: 500, reason: 'A beginning' })).ok()).toBe(true)
    for (const [tab, button, name] of [
      ['subscriptions', `Manage ${customer.username}`, 'Manage Subscription'],
      ['roles', `Change Role of ${customer.username}`, 'Change User Role'],
      ['roles', `Reset Password of ${customer.username}`, 'Reset User Password'],
    ] as const) {
      await open(admin, tab, customer.username)
      if (tab !== 'roles' || name === 'Change User Role') await expectAccessible(admin)
      await admin.getByRole('button', { name: button }).click()
      await admin.getByRole(tab === 'roles' ? 'alertdialog' : 'dialog', { name }).waitFor()
      await expectAccessible(admin)
    }
    await admin.goto(`/admin/users/${id}`)
    await admin.getByText('Account credit adjusted by +$5.00').waitFor()
    await expectAccessible(admin)
    await admin.getByRole('button', { name: 'More actions' }).click()
    await expectAccessible(admin)
    await admin.getByRole('button', { name: 'Adjust Credit' }).click()
    await admin.getByRole('dialog', { name: 'Adjust Credit' }).waitFor()
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  })
})
