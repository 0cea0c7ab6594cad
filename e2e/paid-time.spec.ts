import type { Page } from '@playwright/test'
import { expect, expectAccessible, test as journey } from '../test/harness/browser.ts'
import { inEachLook, savePicture } from '../test/harness/looks.ts'
import { buyPlan, decideOrder, openOrder, planOf, requestPlanChange, submitOrder } from './order.ts'

const test = journey.extend<{ admin: Page }>({
  admin: async ({ newPage, signInAdmin }, use) => use(await signInAdmin(await newPage())),
})

const timeNote = (page: Page) => page.getByRole('status').filter({ hasText: /until / })
const order = (page: Page) => page.getByRole('region', { name: 'Your plans in order' })
const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
type Time = { planName: string; startsAt: string; endsAt: string }
/** Returns the paid time of the customer who is logged in on the page: for each plan its name and formatted end date. */
async function timeOf(page: Page): Promise<string[]> {
  // Like a browser, retries the request if the server closes the keep-alive connection at that moment, after five idle seconds.
  const response = await page.request.get('/api/paid-time', { maxRetries: 1 })
  const time = (await response.json()) as Time[]
  return time.map(({ planName, endsAt }) => `${planName} until ${short.format(new Date(endsAt))}`)
}
async function openCustomer(admin: Page, username: string): Promise<void> {
  const [user] = (await (await admin.request.get(`/api/admin/users?search=${username}`)).json()) as { id: number }[]
  await admin.goto(`/admin/users/${user!.id}`)
}

test('a second plan begins after the current one: checkout explains this, offers Change Plan, and the account shows both', async ({
  page,
  register,
  admin,
}) => {
  await register()
  const { plan } = await buyPlan(page, admin)
  const next = await planOf(page, 1, 1)
  const [running] = await timeOf(page)
  await page.goto(`/checkout?planId=${next.id}`)
  await expect(timeNote(page)).toContainText(`${running}, then ${next.name} until `)
  await expect(timeNote(page)).toContainText(`${next.name} starts when the time you have already paid for ends.`)
  await expect(timeNote(page).getByRole('link', { name: 'Change Plan' })).toHaveAttribute(
    'href',
    '/dashboard#change-title',
  )

  await page.getByLabel('Plan').selectOption(String(plan.id))
  await expect(timeNote(page)).toContainText('This order extends your subscription.')
  await expect(timeNote(page).getByRole('link')).toHaveCount(0)
  await page.getByLabel('Plan').selectOption(String(next.id))
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(timeNote(page)).toContainText(`then ${next.name} until `)
  const announced = (await timeNote(page).textContent())!.split('.')[0]!
  await page.getByRole('button', { name: 'Submit Payment' }).click()
  await expect(page.getByRole('heading', { name: 'Awaiting Approval' })).toBeVisible()
  await expect(timeNote(page)).toHaveCount(0)

  const number = new URL(page.url()).searchParams.get('invoiceNumber')!
  await page.goto('/dashboard')
  await expect(order(page)).toHaveCount(0)
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  await admin.getByRole('button', { name: /^Confirm Payment/ }).click()
  const dialog = admin.getByRole('dialog')
  await expect(dialog.getByRole('region', { name: 'What this does' })).toContainText(`Paid time: ${announced}`)
  await dialog.getByRole('button', { name: 'Confirm Payment' }).click()

  const rows = order(page).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  expect((await timeOf(page)).join(', then ')).toBe(announced)
  await expect(rows.nth(0)).toContainText(plan.name)
  await expect(rows.nth(0)).toContainText('Running')
  await expect(rows.nth(1)).toContainText(next.name)
  await expect(rows.nth(1)).toContainText('Next')
  await expect(
    page.getByRole('region', { name: 'Subscription', exact: true }).getByRole('heading', { name: plan.name }),
  ).toBeVisible()
})

test('an edit is previewed by the server before it is saved, and can be undone on the customer’s page', async ({
  page,
  register,
  admin,
}) => {
  const { username } = await register()
  const { plan } = await buyPlan(page, admin)
  const [before] = await timeOf(page)
  await openCustomer(admin, username)
  await admin.getByRole('button', { name: 'Manage Subscription' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Manage Subscription' })
  const end = dialog.getByLabel('End Date')
  await end.fill(new Date(Date.parse(await end.inputValue()) + 10 * 86_400_000).toISOString().slice(0, 10))
  await expect(dialog.getByRole('status')).toContainText(/Adds 1[01] days\. They were not paid for/)
  await expect(dialog.getByRole('status')).toContainText(`Paid time: ${plan.name} until`)
  await end.fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10))
  await expect(dialog.getByRole('status')).toContainText(/Removes \d+ days\./)
  await expect(dialog.getByRole('status')).toContainText(/\$\d+\.\d\d was paid for the removed time/)
  await dialog.getByRole('button', { name: 'Update Subscription' }).click()
  await expect(dialog).toBeHidden()
  expect(await timeOf(page)).not.toEqual([before])

  const history = admin.getByRole('region', { name: 'Timeline' })
  await history.getByRole('button', { name: /^Undo/ }).click()
  const question = admin.getByRole('alertdialog', { name: `Undo this edit of ${username}'s subscription?` })
  await expect(question.getByRole('status')).toContainText(`Paid time: ${before}`)
  await question.getByRole('button', { name: 'Keep as it is' }).click()
  await expect(history.getByRole('button', { name: /^Undo/ })).toBeFocused()
  await history.getByRole('button', { name: /^Undo/ }).click()
  await question.getByRole('button', { name: 'Undo Edit' }).click()
  await expect(question).toBeHidden()
  await expect(history).toContainText('Subscription edit undone')
  await expect(history.getByRole('button', { name: /^Undo/ })).toHaveCount(0)
  expect(await timeOf(page)).toEqual([before])
})

test('an edit or payment that a later change depends on cannot be undone, and the page names what to undo first @proof', async ({
  page,
  register,
  admin,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const { username } = await register()
  const bought = await buyPlan(page, admin)
  await openCustomer(admin, username)
  await admin.getByRole('button', { name: 'Manage Subscription' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Manage Subscription' })
  await dialog.getByLabel('End Date').fill(new Date(Date.now() + 200 * 86_400_000).toISOString().slice(0, 10))
  await dialog.getByRole('button', { name: 'Update Subscription' }).click()
  await expect(dialog).toBeHidden()
  const change = await requestPlanChange(page, 2, 3)
  await decideOrder(admin, change.invoiceNumber, 'paid')

  await admin.reload()
  await admin.getByRole('button', { name: /^Undo/ }).click()
  const question = admin.getByRole('alertdialog')
  await expect(question).toContainText(change.invoiceNumber)
  await expect(question.getByRole('button', { name: 'Undo Edit' })).toHaveAttribute('aria-disabled', 'true')
  await question.getByRole('button', { name: 'Keep as it is' }).click()

  await admin.goto(`/admin?tab=invoices&search=${bought.invoiceNumber}`)
  await admin.getByRole('button', { name: `Manage ${bought.invoiceNumber}`, exact: true }).click()
  const managing = admin.getByRole('dialog', { name: 'Manage Invoice Status' })
  await managing.getByLabel('Status').selectOption('cancelled')
  await expect(managing.getByRole('region', { name: 'What this does' })).toContainText(change.invoiceNumber)
})

test('undoing a payment removes its time, and later purchases start earlier @proof', async ({
  page,
  register,
  admin,
}) => {
  await register()
  const first = await buyPlan(page, admin)
  const second = await buyPlan(page, admin, 1, 1)
  await page.goto('/dashboard')
  await expect(order(page).getByRole('listitem')).toHaveCount(2)
  await admin.goto(`/admin?tab=invoices&search=${first.invoiceNumber}`)
  await admin.getByRole('button', { name: `Manage ${first.invoiceNumber}`, exact: true }).click()
  const managing = admin.getByRole('dialog', { name: 'Manage Invoice Status' })
  await managing.getByLabel('Status').selectOption('cancelled')
  await expect(managing.getByRole('region', { name: 'What this does' })).toContainText(
    `Subscription: ${first.plan.name} (active)`,
  )
  await managing.getByRole('button', { name: 'Update Status' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Reverse payment' }).click()
  await expect(managing).toBeHidden()
  await expect(order(page)).toHaveCount(0)
  await expect(
    page.getByRole('region', { name: 'Subscription', exact: true }).getByRole('heading', { name: second.plan.name }),
  ).toBeVisible()
  const time = await timeOf(page)
  expect(time).toEqual([expect.stringContaining(second.plan.name)])
})

test('a refund is possible while its referral bonus is pending, and cancels the bonus @proof', async ({
  page,
  newPage,
  register,
  admin,
}) => {
  const referrer = await register({}, await newPage())
  const { referralCode } = (await (await referrer.page.request.get('/api/referrals/my-code')).json()) as {
    referralCode: string
  }
  await register({ referralCode })
  const { invoiceNumber } = await buyPlan(page, admin)
  await referrer.page.goto('/dashboard?tab=referrals')
  const pending = referrer.page.getByRole('list', { name: 'Pending credit' })
  await expect(pending).toContainText('Available from')
  await page.goto(`/invoice/${invoiceNumber}`)
  await page.getByRole('button', { name: 'Request a Refund' }).click()
  const asking = page.getByRole('dialog', { name: 'Request a Refund' })
  await asking.getByLabel('Why do you want your money back?').fill('It stutters on my television.')
  await asking.getByRole('button', { name: 'Request Refund' }).click()
  await expect(asking).toBeHidden()

  await admin.goto(`/admin?tab=invoices&search=${invoiceNumber}`)
  await admin.getByRole('button', { name: `Manage ${invoiceNumber}`, exact: true }).click()
  await admin
    .getByRole('dialog', { name: 'Manage Invoice Status' })
    .getByRole('button', { name: 'Approve Refund' })
    .click()
  const approving = admin.getByRole('dialog', { name: 'Approve Refund' })
  await expect(approving.getByRole('region', { name: 'What this does' })).toContainText(
    `for ${referrer.username}: referral bonus, which was pending`,
  )
  await approving.getByLabel(/reference/).fill('BACK-4711')
  await approving.getByRole('button', { name: 'Approve Refund' }).click()
  await expect(approving).toBeHidden()
  await expect(pending).toHaveCount(0)
  await expect(referrer.page.getByRole('region', { name: 'Account Credit' })).toContainText('$0.00')
})

inEachLook({ height: 900 }, ({ width }) => {
  test('checkout, account, preview and undo are accessible and fit the screen @proof', async ({
    page,
    register,
    admin,
  }, info) => {
    test.setTimeout(120_000)
    const checkPage = async (of: Page, name: string) => {
      await expectAccessible(of)
      expect(await of.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width)
      await savePicture(of, info, name, { fullPage: true })
    }
    const { username } = await register()
    await buyPlan(page, admin)
    const next = await planOf(page, 1, 1)
    await page.goto(`/checkout?planId=${next.id}`)
    await expect(timeNote(page)).toBeVisible()
    await checkPage(page, 'checkout')
    const queued = await openOrder(page, 1, 1)
    await submitOrder(page, queued, { paymentMethod: 'cashapp' })
    await decideOrder(admin, queued.invoiceNumber, 'paid')
    await page.goto('/dashboard')
    await expect(order(page)).toBeVisible()
    await checkPage(page, 'account')
    await page.getByRole('radio', { name: '6 months' }).check()
    await page.getByRole('button', { name: /^Upgrade to Big Beast: 6 Months, 4 Connections/ }).click()
    await expect(page.getByRole('dialog').getByText('To pay for this change')).toBeVisible()
    await checkPage(page, 'change')

    await openCustomer(admin, username)
    await admin.getByRole('button', { name: 'Manage Subscription' }).click()
    const dialog = admin.getByRole('dialog', { name: 'Manage Subscription' })
    await dialog.getByLabel('End Date').fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10))
    await expect(dialog.getByRole('status')).toContainText('Removes')
    await checkPage(admin, 'preview')
    await dialog.getByRole('button', { name: 'Update Subscription' }).click()
    await expect(dialog).toBeHidden()
    await checkPage(admin, 'customer')
    await admin.getByRole('button', { name: /^Undo/ }).click()
    await expect(admin.getByRole('alertdialog').getByRole('status')).toContainText('Paid time')
    await checkPage(admin, 'undo')
  })
})
