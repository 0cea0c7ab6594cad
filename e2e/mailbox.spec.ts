import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { type Dovecot, startDovecot } from '../test/harness/dovecot.ts'
import { inEachLook, savePicture } from '../test/harness/looks.ts'
import { layouts, mailFields } from '../test/harness/payment-layouts.ts'
import { ourAddress, signedMail } from '../test/harness/payment-mails.ts'
import { sendWrite } from './order.ts'

/** The authserv-id: the name of the mail server in the `Authentication-Results` headers that it adds to emails. */
const authservId = 'mx.shop.example'
const venmo = layouts.find(({ template }) => template === 'venmo-card')!.layout

inEachLook({ widths: [1440, 390], height: 900 }, ({ colorScheme, width }) => {
  // Each look begins without a mailbox.
  test.use({ environment: { JOURNEYS: `mailbox ${colorScheme} ${width}` } })
  let dovecot: Dovecot
  test.beforeAll(async () => {
    dovecot = await startDovecot()
  })
  test.afterAll(() => dovecot.close())

  test('an administrator sets up a mailbox, tests one email, and sees a forged email on the desk', async ({
    page,
    signInAdmin,
  }, info) => {
    const admin = await signInAdmin(page)
    await admin.goto('/admin/settings?section=mailbox')
    await admin.getByLabel('Mail server (IMAP)').fill(dovecot.host)
    await admin.getByLabel('Port').fill(String(dovecot.port))
    await admin.getByLabel('Username').fill(dovecot.username)
    await admin.getByLabel('Password', { exact: true }).fill('wrong')
    await admin.getByLabel('Certificate of your own CA').fill(dovecot.ca)
    await admin.getByRole('button', { name: 'Test Connection' }).click()
    await expect(admin.getByText('The mail server refused the username or the password.')).toBeVisible()
    await admin.getByLabel('Password', { exact: true }).fill(dovecot.password)
    await admin.getByRole('button', { name: 'Test Connection' }).click()
    await expect(admin.getByText('Connected. The folder INBOX has')).toBeVisible()
    await admin.getByRole('button', { name: 'Add Address' }).click()
    await admin.locator('[id$="addresses.0"]').fill(ourAddress)
    await admin.getByLabel('Name of the mail server in its own checks').fill(authservId)
    await admin.getByLabel('Read payment emails').check()
    await admin.getByRole('button', { name: 'Save Changes' }).click()
    await expect(admin.locator('.toast')).toContainText('new emails are read from now on')

    const forged = await signedMail(venmo(mailFields()), { date: new Date(), isSigned: false })
    await admin.getByLabel('Or paste the email').fill(forged.toString('latin1'))
    await admin.getByRole('button', { name: 'Read Email' }).click()
    await expect(admin.getByText(/^Not trusted\. The signature does not prove/)).toBeVisible()
    await expect(admin.getByText('$31.49')).toBeVisible()
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    await admin.goto('/admin/payments')
    await expect(admin.getByText(/^Mailbox: checked \d+ s ago$/)).toBeVisible()
    dovecot.deliver(forged)
    await admin.getByRole('button', { name: '1 to review' }).click()
    const dialog = admin.getByRole('dialog')
    await expect(dialog).toContainText('Not signed by venmo.com, or changed afterwards.')
    await expectAccessible(admin)
    await dialog.getByRole('button', { name: /^Done/ }).click()
    await expect(dialog).toContainText('There is nothing left to review.')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expectAccessible(admin)

    const payments = '/api/admin/settings/payments'
    const { version, value } = await (await admin.request.get(payments)).json()
    await sendWrite(admin, 'put', payments, { version, value: { ...value, venmoHandle: '@shop-tv' } })
    // The DKIM key of the test is not in DNS, so only the verdict of the mail server counts.
    const above = `Authentication-Results: ${authservId}; dkim=pass header.d=venmo.com; dmarc=pass header.from=venmo.com\r\n`
    dovecot.deliver(await signedMail(venmo(mailFields()), { date: new Date(), above }))
    await admin.locator('.payment-row').click()
    await admin.getByRole('button', { name: 'Show Email' }).click()
    await expect(dialog.locator('dl')).toContainText('venmo.com')
    await expect(dialog.locator('pre')).toContainText('Ana Ruiz paid you')
    await expectAccessible(admin)
    await savePicture(admin, info, 'email')
    const [file] = await Promise.all([
      admin.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^payment-\d+\.eml$/)
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    await admin.goto('/admin/settings?section=mailbox')
    await admin.getByLabel('Read payment emails').uncheck()
    await admin.getByRole('button', { name: 'Save Changes' }).click()
    await expect(admin.locator('.toast')).toContainText('emails are not read')
  })
})
