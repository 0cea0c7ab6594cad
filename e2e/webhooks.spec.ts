import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { adminPassword } from '../test/harness/browser-apps.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { paidCheckout, stripeSignature } from '../test/harness/processor-events.ts'

const secret = 'whsec_secret_of_the_journey'

inEachLook({ widths: [1440, 390], height: 900 }, ({ width }) => {
  test('Stripe is turned on, and the payment of a signed event appears on the desk @proof', async ({
    page,
    signInAdmin,
    allowPageError,
  }) => {
    allowPageError(/400 .*api\/admin\/processors\/stripe/)
    const admin = await signInAdmin(page)
    await admin.goto('/admin/settings?section=processors')
    const stripe = admin.getByRole('region', { name: 'Payments with Stripe' })
    await stripe.getByLabel('Receive events of Stripe').check()
    await stripe.getByRole('button', { name: 'Save Changes' }).click()
    await expect(stripe.getByText('Please add a signing secret first')).toBeVisible()
    await stripe.getByLabel('Signing secret', { exact: true }).fill(secret)
    await stripe.getByLabel('Current password').fill(adminPassword)
    await stripe.getByRole('button', { name: 'Add Secret' }).click()
    await expect(stripe.getByText('Ends in rney').first()).toBeVisible()
    await stripe.getByRole('button', { name: 'Save Changes' }).click()
    await expect(admin.locator('.toast').last()).toContainText('new events are received from now on')

    const event = JSON.stringify(paidCheckout('ORD-7F3K2G'))
    const send = (signature: string) =>
      fetch(new URL('/api/webhooks/stripe', admin.url()), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': signature },
        body: event,
      })
    expect((await send(stripeSignature(event, ['whsec_of_somebody_else']))).status).toBe(401)
    expect((await send(stripeSignature(event, [secret]))).status).toBe(200)
    await expect(stripe.getByRole('list', { name: 'Latest events of Stripe' })).toContainText('Payment on the desk')
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    await admin.goto('/admin/payments')
    await admin.getByText('Dana Whitfield').first().click()
    await expect(admin.getByText('Event of Stripe, its signature checked by us')).toBeVisible()
    await expectAccessible(admin)

    await admin.goto('/admin/settings?section=processors')
    await stripe.getByLabel('Receive events of Stripe').uncheck()
    await stripe.getByRole('button', { name: 'Save Changes' }).click()
    await stripe.getByRole('button', { name: 'Remove the secret that ends in rney' }).click()
    await admin.getByRole('alertdialog').getByRole('button', { name: 'Remove Secret' }).click()
    await expect(stripe.getByRole('list', { name: 'Signing secrets of Stripe' })).toBeHidden()
  })
})
