import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { looks } from '../test/harness/looks.ts'
import { buyPlan } from './order.ts'

test('a payment appears in the figures by keyboard: in the table, in another period, and in the list of subscriptions that end on a day', async ({
  page,
  signInAdmin,
  register,
  newPage,
}) => {
  const admin = await signInAdmin(page)
  await admin.goto('/admin/insight')
  const revenue = admin.getByRole('region', { name: 'Revenue and subscribers', exact: true })
  const empty = revenue.getByText('No payments yet')
  await expect(empty.or(revenue.getByText('Net revenue, 30 days'))).toBeVisible()
  // Earlier journeys on this installation may have bought plans.
  const subscribers = async () =>
    Number((await revenue.getByRole('definition').last().innerText()).match(/^[\d,]+/)?.[0].replace(',', ''))
  const before = (await empty.isVisible()) ? 0 : await subscribers()

  const { page: customer } = await register({ username: 'insightful' }, await newPage())
  await buyPlan(customer, admin)
  await admin.goto('/admin/insight')
  await expect(revenue).toContainText('Net revenue, 30 days')
  await expect.poll(subscribers).toBeGreaterThan(before)
  await expect(revenue.getByRole('figure')).toContainText('received in the last 30 days')

  await revenue.getByText('Show as table').focus()
  await admin.keyboard.press('Enter')
  const rows = revenue.getByRole('table', { name: 'Revenue and subscribers, 30 days' }).getByRole('row')
  await expect(rows).toHaveCount(31)
  await expect(rows.last().getByRole('cell').last()).toHaveText(/^[1-9]\d*$/)
  await revenue.getByText('Definition').focus()
  await admin.keyboard.press('Enter')
  await expect(revenue.getByText('A payment that was moved back is not counted.')).toBeVisible()

  await admin.getByRole('button', { name: '12 months' }).focus()
  await admin.keyboard.press('Enter')
  await expect(admin).toHaveURL(/period=12m/)
  await expect(revenue).toContainText('Net revenue, 12 months')

  for (const { colorScheme, width } of looks()) {
    await admin.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await admin.setViewportSize({ width, height: 900 })
    await expectAccessible(admin)
  }
  const day = admin.getByRole('link', { name: /: \d+ not renewed/ }).last()
  await day.focus()
  await admin.keyboard.press('Enter')
  await expect(admin).toHaveURL(/tab=subscriptions/)
  await expect(admin.getByLabel('Ends on')).toHaveValue(/^\d{4}-\d\d-\d\d$/)
})
