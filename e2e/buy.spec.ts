import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { decideOrder, dollars, giveCredit, openInvoiceDialog, openOrder, planOf, submitOrder } from './order.ts'

const step = (text: string) => new RegExp(`^${text}$`)

test('a visitor chooses a plan, registers, pays and is active as soon as an administrator confirms', async ({
  page,
  context,
  signInAdmin,
}) => {
  const plan = await planOf(page, 2, 2)
  const username = `buyer-${Date.now().toString(36)}`

  await page.goto('/pricing?tier=beast')
  await page.getByRole('link', { name: `Subscribe Now — 2 connections, ${dollars(plan.price)}` }).click()
  await expect(page).toHaveURL(/\/auth\?redirect=/)
  await page.getByRole('tab', { name: 'Register' }).click()
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(`${username}@example.org`)
  await page.getByLabel('Password', { exact: true }).fill('correct-horse-battery')
  await page.getByLabel('Confirm Password').fill('correct-horse-battery')
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
  await expect(page.getByText('Step 1 of 5')).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '20')
  await expect(page.getByLabel('Plan')).toHaveValue(String(plan.id))
  await expect(page.getByLabel('Email')).toHaveValue(`${username}@example.org`)
  const drawn = await page.getByText(/^ORD-[A-Z0-9]{6}$/).textContent()

  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByText('Step 2 of 5')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Payment', exact: true })).toBeFocused()
  const number = new URL(page.url()).searchParams.get('invoiceNumber') ?? ''
  expect(number).toMatch(/^ORD-[A-Z0-9]{6}$/)
  expect(number, 'one number from start to end').toBe(drawn)
  await expect(page.getByText(number, { exact: true })).toBeVisible()
  await expect(page.getByText(dollars(plan.price)).first()).toBeVisible()
  await expect(page.getByLabel('Payment note')).toHaveValue(`SAUCE: ${number}`)
  await expect(page.getByRole('link', { name: 'Open Cash App' })).toHaveAttribute(
    'href',
    `https://cash.app/$SauceTVDemo/${dollars(plan.price).slice(1)}`,
  )
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()

  await page.locator('#main').getByText('Venmo', { exact: true }).click()
  await expect(page.getByText('@saucetv-demo')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open Venmo' })).toHaveAttribute(
    'href',
    /^https:\/\/venmo\.com\/saucetv-demo\?/,
  )
  await page.getByLabel('Confirmation code').fill(`V-${number}`)
  await page.getByRole('button', { name: 'Submit Payment' }).click()

  await expect(page.getByRole('heading', { name: 'Awaiting Approval' })).toBeFocused()
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '80')
  await expect(page.getByText('up to 24 hours')).toBeVisible()
  await expect(page.getByRole('link', { name: 'View Invoice' })).toHaveAttribute('href', `/invoice/${number}`)

  const account = await context.newPage()
  await account.goto('/dashboard')
  await expect(account.getByText('Inactive', { exact: true })).toBeVisible()

  const admin = await signInAdmin()
  await admin.goto(`/admin?tab=invoices&search=${number}`)
  const decision = await openInvoiceDialog(admin, admin.getByRole('button', { name: /^Confirm Payment/ }))
  await decision.getByRole('button', { name: 'Confirm Payment' }).click()
  await expect(admin.getByText('Invoice updated')).toBeVisible()

  await expect(page.getByRole('heading', { name: 'Payment confirmed' })).toBeFocused()
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '100')
  await expect(page.getByRole('link', { name: 'Go to My Account' })).toHaveAttribute('href', '/dashboard')
  await expect(account.getByText('Active', { exact: true }).first()).toBeVisible()
  await expect(account.getByRole('heading', { name: plan.name })).toBeVisible()
})

test('a card payment uses a link, and the page explains this instead of asking for code and note', async ({
  page,
  register,
}) => {
  const { email } = await register()
  const { invoiceNumber } = await openOrder(page)
  await page.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await page.getByText('Credit card', { exact: true }).click()
  await expect(page.getByText('A secure payment link will be emailed to')).toContainText(email)
  await expect(page.getByLabel('Confirmation code')).toBeHidden()
  await page.getByRole('button', { name: 'Submit Payment Request' }).click()
  await expect(page.getByRole('heading', { name: 'Awaiting Approval' })).toBeVisible()
  await expect(page.getByText('typically within 1 hour')).toBeVisible()
})

test('without a plan and an email no order is created, and both errors are listed with links @proof', async ({
  page,
  register,
}) => {
  await register()
  await page.goto('/checkout')
  await page.getByLabel('Email').fill('nobody')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByText('There is a problem')).toBeVisible()
  await page.getByRole('link', { name: 'Please enter a valid email address' }).click()
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.getByRole('link', { name: 'Please select a plan' }).click()
  await expect(page.getByLabel('Plan')).toBeFocused()
  await expect(page.getByText('Step 1 of 5')).toBeVisible()
})

test('when creating an order fails, the details keep all input @proof', async ({ page, register, allowPageError }) => {
  allowPageError(/status of 500/)
  await register()
  const plan = await planOf(page, 3, 1)
  await page.route('**/api/create-invoice', (route) =>
    route.fulfill({ status: 500, json: { message: 'The printer is out of paper', code: 'internal' } }),
  )
  await page.goto(`/checkout?planId=${plan.id}`)
  await page.getByLabel('Email').fill('other@example.org')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByText('Failed to create invoice', { exact: true })).toBeVisible()
  await expect(page.getByText('The printer is out of paper').first()).toBeVisible()
  await expect(page.getByText('Step 1 of 5')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('other@example.org')
  await expect(page.getByLabel('Plan')).toHaveValue(String(plan.id))

  await page.unroute('**/api/create-invoice')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByText('Step 2 of 5')).toBeVisible()
})

test('a failed payment submission returns to the payment step with all input, and can be repeated @proof', async ({
  page,
  register,
  allowPageError,
}) => {
  allowPageError(/status of 503/)
  await register()
  const { invoiceNumber } = await openOrder(page)
  await page.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await page.locator('#main').getByText('Venmo', { exact: true }).click()
  await page.getByLabel('Confirmation code').fill('abc')
  await page.getByLabel('Payment note').fill('xy')
  await page.getByRole('button', { name: 'Submit Payment' }).click()
  await expect(page.getByText('Please enter a payment confirmation code').first()).toBeVisible()
  await expect(page.getByText('Please enter the note you included with your payment').first()).toBeVisible()

  // The first letter is Cyrillic.
  await page.getByLabel('Confirmation code').fill('аbcd-1234')
  await page.getByLabel('Payment note').fill('what I really typed')
  await page.getByRole('button', { name: 'Submit Payment' }).click()
  await expect(page.getByText('Please use only letters A to Z, digits and punctuation').first()).toBeVisible()
  await expect(page.getByLabel('Confirmation code')).toHaveValue('аbcd-1234')
  await expect(page.getByLabel('Payment note')).toHaveValue('what I really typed')

  await page.getByLabel('Confirmation code').fill('abcd-1234')
  await page.route('**/api/submit-payment', (route) =>
    route.fulfill({ status: 503, json: { message: 'We cannot reach our records right now.', code: 'unavailable' } }),
  )
  await page.getByRole('button', { name: 'Submit Payment' }).click()
  await expect(page.getByText('Payment submission failed', { exact: true })).toBeVisible()
  await expect(page.getByText('Step 2 of 5')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Venmo' })).toBeChecked()
  await expect(page.getByLabel('Confirmation code')).toHaveValue('abcd-1234')
  await expect(page.getByLabel('Payment note')).toHaveValue('what I really typed')

  await page.unroute('**/api/submit-payment')
  await page.getByRole('button', { name: 'Submit Payment' }).click()
  await expect(page.getByText('with the note “what I really typed”')).toBeVisible()
})

test('while a payment is submitted the page shows its data, and a double click submits it once @proof', async ({
  page,
  register,
}) => {
  await register()
  const { invoiceNumber } = await openOrder(page)
  let sent = 0
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/submit-payment', async (route) => {
    sent += 1
    await held
    await route.continue()
  })
  await page.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await page.getByRole('button', { name: 'Submit Payment' }).dblclick()
  await expect(page.getByText('Sending your payment details')).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '60')
  answer()
  await expect(page.getByRole('heading', { name: 'Awaiting Approval' })).toBeVisible()
  expect(sent).toBe(1)
})

test('a referral discount and account credit are items of the order, and the credit can be kept', async ({
  page,
  newPage,
  register,
  adminCaller,
}) => {
  await register()
  const { referralCode } = (await (await page.request.get('/api/user')).json()) as { referralCode: string }
  const friend = await newPage()
  await register({ referralCode }, friend)
  const bought = await openOrder(friend, 2, 2)
  await friend.goto(`/checkout?invoiceNumber=${bought.invoiceNumber}`)
  await expect(friend.getByText('Referral discount (15%)')).toBeVisible()

  await giveCredit(page, adminCaller, 1_000)
  const { plan, price } = await openOrder(page, 3, 1)
  await page.goto(`/checkout?planId=${plan.id}`)
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByText('Account credit', { exact: true })).toBeVisible()
  const reduced = await page.getByRole('link', { name: 'Open Cash App' }).getAttribute('href')
  expect(reduced).not.toContain(price.slice(1))
  await page.getByLabel('Use my account credit').uncheck()
  await expect(page.getByText('Account credit', { exact: true })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Open Cash App' })).toHaveAttribute(
    'href',
    `https://cash.app/$SauceTVDemo/${price.slice(1)}`,
  )

  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByLabel('Email').fill('another@example.org')
  await page.getByRole('button', { name: 'Continue to Payment' }).click()
  await expect(page.getByLabel('Use my account credit'), 'kept credit stays kept').not.toBeChecked()
})

test('the QR code is hidden on touch-only screens @proof', async ({ page, register, browser, baseURL }) => {
  await register()
  const { invoiceNumber } = await openOrder(page)
  const phone = await browser.newContext({
    baseURL,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    storageState: await page.context().storageState(),
  })
  const pocket = await phone.newPage()
  await pocket.goto(`/checkout?invoiceNumber=${invoiceNumber}`)
  await expect(pocket.getByRole('link', { name: 'Open Cash App' })).toBeVisible()
  await expect(pocket.getByText('Scan with your phone')).toBeHidden()
  await phone.close()
})

inEachLook({ height: 900 }, ({ width }) => {
  test('every step is accessible and fits the screen', async ({ page, register, adminCaller }) => {
    test.slow()
    await register()
    const order = await openOrder(page)
    const looksRight = async (heading: string) => {
      await expect(page.getByRole('heading', { name: step(heading) })).toBeVisible()
      await expectAccessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
    await page.goto(`/checkout?planId=${order.plan.id}`)
    await looksRight('Your details')
    await page.goto(`/checkout?invoiceNumber=${order.invoiceNumber}`)
    await looksRight('Payment')
    await page.getByText('Credit card', { exact: true }).click()
    await looksRight('Payment')
    await submitOrder(page, order, { paymentMethod: 'cashapp' })
    await looksRight('Awaiting Approval')
    await decideOrder(adminCaller, order.invoiceNumber, 'paid')
    await looksRight('Payment confirmed')
  })
})
