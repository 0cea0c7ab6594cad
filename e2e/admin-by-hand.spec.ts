import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { openOrder, planOf, sendWrite, submitOrder } from './order.ts'

const menu = async (admin: Page, action: string) => {
  await admin.getByRole('button', { name: 'More actions' }).click()
  await admin.getByRole('list', { name: 'More actions' }).getByRole('button', { name: action }).click()
  return admin.getByRole('dialog', { name: action })
}

test.describe('on a phone in dark mode', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 900 } })

  test('an administrator creates a customer and a paid order for them; a taken username is refused and the input is kept', async ({
    page,
    newCaller,
    register,
    signInAdmin,
    allowPageError,
  }) => {
    allowPageError(/status of 409/)
    const taken = await register({}, await newCaller())
    const code = `HAND-${Date.now()}`
    await submitOrder(taken.page, await openOrder(taken.page), { paymentMethod: 'venmo', confirmationCode: code })
    const admin = await signInAdmin(page)
    const plan = await planOf(admin, 1, 2)
    await admin.goto('/admin')
    const opener = admin.getByRole('button', { name: 'New Customer' })
    await opener.click()
    const creating = admin.getByRole('dialog', { name: 'New Customer' })
    await creating.getByRole('button', { name: 'Create Customer' }).click()
    await expect(creating.getByLabel('Email')).toHaveAccessibleDescription(/valid email address/)
    await expectAccessible(admin)
    const username = `moved-${Date.now().toString(36)}`
    await creating.getByLabel('Username').fill(taken.username)
    await creating.getByLabel('Email').fill(`${username}@example.org`)
    await creating.getByRole('button', { name: 'Create Customer' }).click()
    await expect(creating.getByLabel('Username')).toHaveAccessibleDescription('Another account has this username')
    await expect(creating.getByLabel('Email')).toHaveValue(`${username}@example.org`)
    await creating.getByLabel('Username').fill(username)
    await expect(creating.getByText('Another account has this username')).toHaveCount(0)
    await creating.getByRole('button', { name: 'Create Customer' }).click()
    await expect(admin.getByRole('heading', { level: 1, name: username })).toBeVisible()

    const ordering = await menu(admin, 'Create Order')
    await ordering.getByRole('button', { name: 'Create Order' }).click()
    await expect(ordering.getByLabel('Plan')).toHaveAccessibleDescription(/choose a plan/)
    await ordering.getByLabel('Plan').selectOption(String(plan.id))
    await expect(ordering.getByText('Total')).toBeVisible()
    await expect(ordering).toContainText('Paid time once it is paid')
    await ordering.getByText('Already received').click()
    await expect(ordering).toContainText('Paid time after this order')
    await ordering.getByLabel('Payment method').selectOption('venmo')
    await ordering.getByLabel('Confirmation code').fill(code)
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await ordering.getByRole('button', { name: 'Create and Confirm' }).click()
    await expect(ordering).toContainText('This confirmation code was also given for another invoice.')
    await ordering.getByLabel('I have checked that this payment was made for this order').check()
    await expectAccessible(admin)
    await ordering.getByRole('button', { name: 'Create and Confirm' }).click()
    await expect(ordering).toBeHidden()
    await expect(admin.getByRole('region', { name: 'Timeline' })).toContainText(/Order ORD-\S+ created/)
    await expect(admin.getByRole('main')).toContainText(plan.name)
  })
})

test('an administrator removes an unused account, and keeps one that is in use @proof', async ({
  page,
  newCaller,
  register,
  signInAdmin,
}) => {
  const registered = await register({}, await newCaller())
  const admin = await signInAdmin(page)
  const username = `unused-${Date.now().toString(36)}`
  await admin.goto('/admin')
  await admin.getByRole('button', { name: 'New Customer' }).click()
  const creating = admin.getByRole('dialog', { name: 'New Customer' })
  await creating.getByLabel('Username').fill(username)
  await creating.getByLabel('Email').fill(`${username}@example.org`)
  await creating.getByRole('button', { name: 'Create Customer' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: username })).toBeVisible()
  const ask = async () => {
    await admin.getByRole('button', { name: 'More actions' }).click()
    await admin.getByRole('list', { name: 'More actions' }).getByRole('button', { name: 'Undo Creation' }).click()
    return admin.getByRole('alertdialog')
  }
  const confirm = await ask()
  await expect(confirm).toContainText('The account is not in use.')
  await expectAccessible(admin)
  await confirm.getByRole('button', { name: 'Remove Account' }).click()
  await expect(confirm).toBeHidden()
  const find = async (name: string) =>
    (await (await admin.request.get(`/api/admin/users?search=${encodeURIComponent(name)}`)).json()) as { id: number }[]
  expect(await find(username)).toEqual([])

  const [found] = await find(registered.username)
  await admin.goto(`/admin/users/${found!.id}`)
  await expect(await ask()).toContainText('not created by an administrator')
})

test.describe('in dark mode on a phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 900 } })

  test('an administrator moves a subscription to another account after seeing the effect, and undoes it @proof', async ({
    page,
    newCaller,
    register,
    signInAdmin,
    allowPageError,
  }) => {
    allowPageError(/status of 400/)
    const [from, to] = [await register({}, await newCaller()), await register({}, await newCaller())]
    const admin = await signInAdmin(page)
    const plan = await planOf(admin, 1, 2)
    const [found] = (await (
      await admin.request.get(`/api/admin/users?search=${encodeURIComponent(from.username)}`)
    ).json()) as { id: number }[]
    const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    const body = { planId: plan.id, status: 'active', endDate: day }
    await sendWrite(admin, 'put', `/api/admin/users/${found!.id}/subscription`, body)
    await admin.goto(`/admin/users/${found!.id}`)
    const dialog = await menu(admin, 'Move Subscription')
    await dialog.getByLabel('To the account').fill('nobody-here')
    await dialog.getByRole('button', { name: 'Show the Effect' }).click()
    await expect(dialog.getByLabel('To the account')).toHaveAccessibleDescription(/No account has this/)
    await dialog.getByLabel('To the account').fill(to.username)
    await dialog.getByRole('button', { name: 'Show the Effect' }).click()
    await expect(dialog).toContainText(`${to.username}, ${to.email}, gets`)
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await dialog.getByRole('button', { name: 'Move Subscription' }).click()
    await expect(dialog).toBeHidden()
    const statusOf = async ({ page: { request } }: typeof from) =>
      ((await (await request.get('/api/user')).json()) as { subscriptionStatus: string }).subscriptionStatus
    expect([await statusOf(from), await statusOf(to)]).toEqual(['cancelled', 'active'])
    const timeline = admin.getByRole('region', { name: 'Timeline' })
    const entry = timeline.getByRole('listitem').filter({ hasText: 'Subscription moved' }).last()
    await entry.getByRole('button', { name: /Undo/ }).click()
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Undo Edit' }).click()
    await expect(admin.getByRole('alertdialog')).toBeHidden()
    expect([await statusOf(from), await statusOf(to)]).toEqual(['active', 'none'])
  })
})
