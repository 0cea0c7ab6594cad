import type { Page } from '@playwright/test'
import { type Caller, expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { decideOrder, dollars, openOrder, submitOrder } from './order.ts'

type Plan = { id: number; name: string; price: number; tier: number; connections: number; features: string[] }
type Bought = { invoiceNumber: string; amount: number }

const plansOf = async (page: Page): Promise<Plan[]> => (await page.request.get('/api/plans')).json()

/** Orders a plan and submits its payment, which is not confirmed yet. */
async function order(page: Caller, { tier, connections }: Plan): Promise<Bought> {
  const draft = await openOrder(page, tier, connections)
  const { invoiceNumber } = draft
  await submitOrder(page, draft, {
    paymentMethod: 'cashapp',
    confirmationCode: `CODE-${invoiceNumber}`,
    paymentNote: `SAUCE: ${invoiceNumber}`,
  })
  return ((await (await page.request.get(`/api/invoices/${invoiceNumber}`)).json()) as { invoice: Bought }).invoice
}

const panel = (page: Page) => page.getByRole('region', { name: 'Subscription', exact: true })

test('without a plan all plans are offered, each with three features and the number of the remaining ones @proof', async ({
  page,
  register,
}) => {
  const { username, email } = await register({ fullName: 'Lena Vogt' })
  await page.goto('/dashboard')
  await expect(panel(page).getByText('No Active Subscription')).toBeVisible()
  await expect(panel(page).getByText('Inactive')).toBeVisible()
  const profile = page.getByRole('region', { name: 'Profile Information' })
  for (const text of [username, email, 'Lena Vogt', 'less than a minute ago']) await expect(profile).toContainText(text)

  const offers = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /^Subscribe Now/ }) })
  const plans = await plansOf(page)
  const lengths = page.getByRole('group', { name: 'Length' }).getByRole('radio')
  await expect(lengths).toHaveCount(4)
  await expect(offers).toHaveCount(plans.filter(({ tier }) => tier === 1).length)
  await lengths.nth(2).check()
  const plan = plans.find(({ tier, connections }) => tier === 3 && connections === 4)!
  const offer = offers.filter({ hasText: plan.name })
  for (const text of [
    dollars(plan.price),
    'for 6 months',
    ...plan.features.slice(0, 3),
    `+${plan.features.length - 3} more features`,
  ])
    await expect(offer).toContainText(text)
  await expect(offer).not.toContainText(plan.features[3]!)

  await offer.getByRole('link', { name: `Subscribe Now — 4 Connections, ${dollars(plan.price)} for 6 months` }).click()
  await expect(page).toHaveURL(new RegExp(`^[^?]*/checkout\\?planId=${plan.id}`))
})

test('a confirmed payment activates the page without a reload @proof', async ({ page, register, adminCaller }) => {
  await register()
  await page.goto('/dashboard')
  const plan = (await plansOf(page)).find(({ tier, connections }) => tier === 2 && connections === 2)!
  const bought = await order(page, plan)
  await expect(panel(page)).toContainText('Your payment is awaiting approval.')
  await expect(panel(page)).toContainText(`Invoice ${bought.invoiceNumber} for ${dollars(bought.amount)}`)
  await expect(panel(page).getByRole('link', { name: 'View Invoice' })).toHaveAttribute(
    'href',
    `/invoice/${bought.invoiceNumber}`,
  )
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''))

  await decideOrder(adminCaller, bought.invoiceNumber, 'paid')

  await expect(panel(page).getByRole('heading', { name: plan.name })).toBeVisible()
  await expect(panel(page).getByText('Active', { exact: true }).first()).toBeVisible()
  await expect(panel(page)).not.toContainText('awaiting approval')
  for (const text of [
    dollars(plan.price),
    'per 3 months',
    /\d+ days left/,
    'Start date',
    'Renewal date',
    ...plan.features,
  ])
    await expect(panel(page)).toContainText(text)
  await expect(page.getByRole('link', { name: /^Subscribe Now/ })).toHaveCount(0)
  await expect(page.locator('body[data-same-page]')).toHaveCount(1)
  // No player URL is configured, so no link to a player is shown.
  await expect(page.getByText('Open Player')).toHaveCount(0)

  await panel(page).getByRole('link', { name: 'Manage Payment' }).click()
  await expect(page).toHaveURL(`/invoice/${bought.invoiceNumber}`)
})

test('a pending plan change is shown @proof', async ({ page, register }) => {
  await register()
  await page.goto('/')
  const [plan] = await plansOf(page)
  const bought = await order(page, plan!)
  await page.route('**/api/account/subscription', async (route) => {
    const response = await route.fetch()
    const subscription = (await response.json()) as { purchase: object }
    await route.fulfill({ response, json: { ...subscription, change: subscription.purchase, purchase: null } })
  })
  await page.getByRole('banner').getByRole('link', { name: 'My Account' }).click()
  await expect(panel(page)).toContainText(
    `Plan change awaiting approval. Invoice ${bought.invoiceNumber} for ${dollars(bought.amount)} is pending.`,
  )
  await panel(page).getByRole('link', { name: 'View Pending Invoices' }).click()
  await expect(page).toHaveURL('/invoices')
})

test('the tab is in the URL; an unknown one means the first tab @proof', async ({ page, register }) => {
  await register()
  await page.goto('/dashboard?tab=nonsense')
  await expect(page.getByRole('tab', { name: 'Subscription' })).toHaveAttribute('aria-selected', 'true')
  await page.goto('/dashboard?tab=watchlist')
  await expect(page.getByRole('tabpanel')).toContainText('Your watchlist is empty')
  await expect(page.getByRole('link', { name: 'Browse Channels' })).toHaveAttribute('href', '/channels')
  await page.getByRole('tab', { name: 'Referrals' }).click()
  await expect(page).toHaveURL('/dashboard?tab=referrals')
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Referrals' })).toHaveAttribute('aria-selected', 'true')
})

test('the referral code is copied, and the button confirms it for a while @proof', async ({
  page,
  context,
  register,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await register()
  const { referralCode, shareUrl, shareMessage } = (await (
    await page.request.get('/api/referrals/my-code')
  ).json()) as Record<string, string>
  await page.goto('/dashboard?tab=referrals')
  const card = page.getByRole('region', { name: 'Referrals' })
  await expect(card).toContainText(referralCode!)
  await expect(card).toContainText(shareUrl!)
  await expect(page.getByRole('tabpanel')).toContainText('No transactions yet')

  await card.getByRole('button', { name: 'Copy Code' }).click()
  await expect(card.getByRole('button', { name: 'Copied!' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Copied!' })).toContainText('Referral code copied to clipboard')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(referralCode)
  await expect(card.getByRole('button', { name: 'Copy Code' })).toBeVisible()

  await card.getByRole('button', { name: 'Share' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shareMessage)
})

test('a friend’s payment earns a bonus, shown without a reload with the date from which it can be spent', async ({
  page,
  register,
  newCaller,
  adminCaller,
}) => {
  await register()
  await page.goto('/dashboard?tab=referrals')
  const { referralCode } = (await (await page.request.get('/api/referrals/my-code')).json()) as { referralCode: string }
  const friend = await register({ referralCode }, await newCaller())
  const bought = await order(friend.page, (await plansOf(page)).find(({ tier }) => tier === 4)!)
  await decideOrder(adminCaller, bought.invoiceNumber, 'paid')

  const bonus = dollars(Math.floor((bought.amount * 15 + 50) / 100))
  const pending = page.getByRole('list', { name: 'Pending credit' })
  await expect(pending).toContainText(`+${bonus}`)
  await expect(pending).toContainText(/Available from [A-Z][a-z]{2} \d/)
  await expect(page.getByRole('region', { name: 'Account Credit' })).toContainText('$0.00')
})

test('the server renders every page of a customer @proof', async ({ page, register }) => {
  await register()
  const pages = [
    '/dashboard',
    '/screens',
    '/invoices',
    '/messages',
    '/security',
    '/request-trial',
    '/guide',
    '/watch',
    '/check',
  ]
  for (const path of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
})

inEachLook({ height: 844 }, () => {
  test('My Account is accessible before and after a payment, on every tab', async ({ page, register, adminCaller }) => {
    await register()
    await page.goto('/dashboard')
    const bought = await order(page, (await plansOf(page))[0]!)
    await expect(panel(page)).toContainText('awaiting approval')
    await expectAccessible(page)
    await decideOrder(adminCaller, bought.invoiceNumber, 'paid')
    await expect(panel(page).getByRole('link', { name: 'Manage Payment' })).toBeVisible()
    await expectAccessible(page)
    for (const tab of ['referrals', 'watchlist']) {
      await page.goto(`/dashboard?tab=${tab}`)
      await expectAccessible(page)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  })
})
