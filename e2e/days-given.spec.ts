import type { Page } from '@playwright/test'
import { type Caller, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { planOf, sendWrite } from './order.ts'

// The group of an outage is all customers with paid time, so other specs must not add customers to this app.
test.use({ environment: { JOURNEYS: 'days-given' } })

const dayMs = 86_400_000
const now = Date.now()
const day = (offset: number) => new Date(now + offset * dayMs).toISOString().slice(0, 10)

/** Gives a customer paid time from three days ago until 20 days from now. Returns the id of the customer. */
async function subscribe(admin: Page, username: string): Promise<number> {
  const plan = await planOf(admin, 1, 2)
  const found = await admin.request.get(`/api/admin/users?search=${encodeURIComponent(username)}`)
  const [{ id }] = (await found.json()) as [{ id: number }]
  const body = { planId: plan.id, status: 'active', startDate: day(-3), endDate: day(20) }
  await sendWrite(admin, 'put', `/api/admin/users/${id}/subscription`, body)
  return id
}
const endOf = async ({ request }: Caller): Promise<string> =>
  ((await (await request.get('/api/user')).json()) as { subscriptionEndDate: string }).subscriptionEndDate.slice(0, 10)

test.describe('on a phone in dark mode', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 900 } })

  test('days are given back after an outage, the customer sees the reason, and the days are taken back', async ({
    page,
    newPage,
    register,
    signInAdmin,
  }) => {
    const admin = await signInAdmin(page)
    const customer = await register({}, await newPage())
    await subscribe(admin, customer.username)
    const title = `Dark pictures ${Date.now().toString(36)}`
    const startsAt = new Date(Date.now() - 1.5 * dayMs).toISOString()
    const fields = { kind: 'outage', title, text: 'We look into it.', categories: [], channels: [], startsAt }
    const incident = (await sendWrite(admin, 'post', '/api/admin/incidents', fields)) as { id: number }
    const end = { text: 'Solved.', notifies: false, version: 1 }
    await sendWrite(admin, 'post', `/api/admin/incidents/${incident.id}/end`, end)

    await admin.goto('/admin?tab=reports')
    await admin.getByRole('button', { name: `Give Days Back for ${title}` }).click()
    const dialog = admin.getByRole('dialog', { name: 'Give Days Back' })
    await expect(dialog.getByLabel('Days')).toHaveValue('2')
    await dialog.getByLabel('Days').fill('3')
    await expect(dialog).toContainText(customer.username)
    await dialog.getByLabel('Reason').fill('')
    const give = dialog.getByRole('button', { name: /^Give 3 Days to \d+ Customers?$/ })
    await give.click()
    await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription(/enter a reason/)
    await dialog.getByLabel('Reason').fill(`Outage: ${title}`)
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await give.click()
    await expect(dialog.getByRole('list', { name: 'Days given' })).toContainText(/3 days to \d+ customers?: Outage/)
    await expect(dialog).toContainText('No customers in this group can still get days')
    await expect.poll(() => endOf(customer.page)).toBe(day(23))

    await customer.page.goto('/dashboard')
    await expect(customer.page.getByRole('list', { name: 'Added days' })).toContainText(`Outage: ${title}`)
    await expectAccessible(customer.page)

    await dialog.getByRole('button', { name: 'Take Days Back' }).click()
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Take Back' }).click()
    await expect(dialog.getByRole('list', { name: 'Days given' })).toContainText(/Taken back from \d+ customers?/)
    await expect.poll(() => endOf(customer.page)).toBe(day(20))
    await expect(customer.page.getByRole('list', { name: 'Added days' })).toBeHidden()
  })
})

test('an administrator gives days to one customer with a reason, and undoes it in the timeline @proof', async ({
  page,
  newCaller,
  register,
  signInAdmin,
}) => {
  const admin = await signInAdmin(page)
  const customer = await register({}, await newCaller())
  const id = await subscribe(admin, customer.username)
  await admin.goto(`/admin/users/${id}`)
  await admin.getByRole('button', { name: 'More actions' }).click()
  await admin.getByRole('list', { name: 'More actions' }).getByRole('button', { name: 'Give Days' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Give Days' })
  await dialog.getByLabel('Days').fill('0')
  await dialog.getByRole('button', { name: 'Give Days' }).click()
  await expect(dialog.getByLabel('Days')).toHaveAccessibleDescription(/at least 1 day/)
  await dialog.getByLabel('Days').fill('5')
  await dialog.getByLabel('Reason').fill('A present')
  await expect(dialog).toContainText('Adds 5 days.')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Give Days' }).click()
  await expect(dialog).toBeHidden()
  expect(await endOf(customer.page)).toBe(day(25))
  const timeline = admin.getByRole('region', { name: 'Timeline' })
  const entry = timeline.getByRole('listitem').filter({ hasText: 'A present' }).last()
  await entry.getByRole('button', { name: /Undo/ }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Undo Edit' }).click()
  await expect(admin.getByRole('alertdialog')).toBeHidden()
  expect(await endOf(customer.page)).toBe(day(20))
})
