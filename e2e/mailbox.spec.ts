import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { type Dovecot, startDovecot } from '../test/harness/dovecot.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { layouts, mailFields } from '../test/harness/payment-layouts.ts'
import { ourAddress, signedMail } from '../test/harness/payment-mails.ts'

const venmo = layouts.find(({ template }) => template === 'venmo-card')!.layout

inEachLook({ widths: [1440, 390], height: 900 }, ({ colorScheme, width }) => {
  // Each look begins without a mailbox.
  test.use({ environment: { JOURNEYS: `mailbox ${colorScheme} ${width}` } })
  let dovecot: Dovecot
  test.beforeAll(async () => {
    dovecot = await startDovecot()
  })
  test.afterAll(() => dovecot.close())

  test('an administrator sets up a mailbox, tries one email, and sees a forged one on the desk', async ({
    page,
    signInAdmin,
  }) => {
    const admin = await signInAdmin(page)
    await admin.goto('/admin/settings?section=mailbox')
    await admin.getByLabel('Mail server (IMAP)').fill(dovecot.host)
    await admin.getByLabel('Port').fill(String(dovecot.port))
    await admin.getByLabel('User name').fill(dovecot.username)
    await admin.getByLabel('Password', { exact: true }).fill('wrong')
    await admin.getByLabel('Certificate of your own CA').fill(dovecot.ca)
    await admin.getByRole('button', { name: 'Test Connection' }).click()
    await expect(admin.getByText('The mail server refused the username or the password.')).toBeVisible()
    await admin.getByLabel('Password', { exact: true }).fill(dovecot.password)
    await admin.getByRole('button', { name: 'Test Connection' }).click()
    await expect(admin.getByText('Connected. The folder INBOX has')).toBeVisible()
    await admin.getByRole('button', { name: 'Add Address' }).click()
    await admin.locator('[id$="addresses.0"]').fill(ourAddress)
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
    await admin.getByRole('button', { name: '1 to look at' }).click()
    const dialog = admin.getByRole('dialog')
    await expect(dialog).toContainText('Not signed by venmo.com, or changed afterwards.')
    await expectAccessible(admin)
    await dialog.getByRole('button', { name: /^Done/ }).click()
    await expect(dialog).toContainText('Nothing is left to look at.')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expectAccessible(admin)

    await admin.goto('/admin/settings?section=mailbox')
    await admin.getByLabel('Read payment emails').uncheck()
    await admin.getByRole('button', { name: 'Save Changes' }).click()
    await expect(admin.locator('.toast')).toContainText('emails are not read')
  })
})
