import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { type Dovecot, startDovecot } from '../test/harness/dovecot.ts'
import { type FakeMailService, startFakeMailService } from '../test/harness/fake-mail-service.ts'

test.describe('in dark mode on a phone', () => {
  test.use({
    environment: { JOURNEYS: 'mailbox-oauth' },
    viewport: { width: 390, height: 900 },
    colorScheme: 'dark',
  })
  let service: FakeMailService
  let dovecot: Dovecot
  test.beforeAll(async () => {
    service = await startFakeMailService('desk')
    dovecot = await startDovecot(service.introspectionUrl)
  })
  test.afterAll(async () => {
    await dovecot.close()
    await service.close()
  })

  test('an administrator connects the mailbox to a mail service, after denying access once @proof', async ({
    page,
    signInAdmin,
  }) => {
    const admin = await signInAdmin(page)
    await admin.goto('/admin/settings?section=mailbox')
    await admin.getByLabel('Read payment emails').check()
    await admin.getByLabel('Mail server (IMAP)').fill(dovecot.host)
    await admin.getByLabel('Port').fill(String(dovecot.port))
    await admin.getByLabel('Username').fill(dovecot.username)
    await admin.getByLabel('Certificate of your own CA').fill(dovecot.ca)
    await admin.getByLabel('Log in with').selectOption('other')
    await admin.getByLabel('Client ID').fill(service.clientId)
    await admin.getByLabel('Client secret').fill(service.clientSecret)
    const connect = admin.getByRole('button', { name: 'Connect Account' })
    await expect(connect).toHaveAttribute('aria-disabled', 'true')
    await admin.getByRole('button', { name: 'Save Changes' }).click()
    await expect(admin.getByText('Please enter this setting of your mail service').first()).toBeVisible()
    await admin.getByLabel('Authorization address').fill(service.authorizeUrl)
    await admin.getByLabel('Token address').fill(service.exchangeUrl)
    await admin.getByLabel('Scope').fill('imap offline')
    await admin.getByRole('button', { name: 'Save Changes' }).click()
    await expect(admin.getByText('Not connected.')).toBeVisible()
    await expectAccessible(admin)
    expect(await admin.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

    await connect.click()
    await expect(admin.locator('.toast')).toContainText('The mail service did not allow the access.')
    await expect(admin).toHaveURL(/section=mailbox$/)
    await connect.click()
    await expect(admin.locator('.toast', { hasText: 'Account connected' })).toBeVisible()
    await expect(admin).toHaveURL(/section=mailbox$/)
    await expect(admin.getByText('Connected since')).toBeVisible()
    await admin.getByRole('button', { name: 'Test Connection' }).click()
    await expect(admin.getByText('Connected. The folder INBOX has')).toBeVisible()
    await expectAccessible(admin)

    await admin.getByLabel('Read payment emails').uncheck()
    await admin.getByRole('button', { name: 'Save Changes' }).click()
    await expect(admin.locator('.toast')).toContainText('emails are not read')
  })
})
