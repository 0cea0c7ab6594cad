import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { localCertificate } from '../test/harness/certificate.ts'
import { looks } from '../test/harness/looks.ts'
import { sampled } from '../test/harness/scale.ts'
import { startSink } from '../test/harness/smtp-sink.ts'

// An installation without any content.
test.use({ environment: { JOURNEYS: 'empty', SEED: 'empty', HANDLES: 'unset' } })

test('no page shows zero counts or a plan group without plans @proof', async ({ page }) => {
  for (const width of sampled([390, 1440], 2)) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/', '/pricing', '/channels', '/channels/lineup', '/devices', '/faq', '/contact', '/setup']) {
      await page.goto(path)
      await expect(page.locator('main'), path).not.toContainText(/\b0 (sample )?(channels?|categories|plans?)\b/)
      await expect(page.getByRole('tab', { name: /Beast/ }), path).toHaveCount(0)
      await expectAccessible(page)
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        path,
      ).toBe(0)
    }
  }
  await page.goto('/pricing')
  await expect(page.getByText('No plans yet.')).toBeVisible()
  await expect(page.getByText('All Plans Include')).toHaveCount(0)
})

test('a group is shown once it has a plan @proof', async ({ app, page, adminCaller }) => {
  const plan = { tier: 2, connections: 1, price: 3900, features: ['One screen'], popular: false, hidden: false }
  expect((await adminCaller.request.post('/api/admin/plans', { data: plan, headers: { origin: app.url } })).ok()).toBe(
    true,
  )
  await page.goto('/pricing')
  await expect(page.getByRole('tab')).toHaveCount(1)
  await expect(page.getByRole('tab', { name: /^Beast/ })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('link', { name: /Subscribe Now — 1 connection/ })).toBeVisible()
})

test('the mail server is a step of the setup, and the input is kept when the server refuses the password @proof', async ({
  signInAdmin,
  allowPageError,
}) => {
  allowPageError(/status of 400/)
  const tls = localCertificate()
  const sink = await startSink({ tls, login: { user: 'tv@mail.example', pass: 'right' } })
  const admin = await signInAdmin()
  await admin.goto('/admin/overview')
  const queue = admin.getByRole('region', { name: 'Needs you' })
  await expect(queue).toContainText('Nothing is waiting')
  await expect(queue.getByRole('link', { name: 'Place a Test Order' })).toHaveAttribute('href', '/pricing')
  await expect(admin.getByText('No payments yet')).toBeVisible()
  await admin.getByRole('button', { name: 'Set Up Email' }).click()
  const step = admin.getByRole('form', { name: 'Mail server' })
  const send = step.getByRole('button', { name: 'Send Test Email and Save' })
  await expect(send).toBeEnabled()
  for (const { colorScheme, width } of looks()) {
    await admin.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await admin.setViewportSize({ width, height: 900 })
    await expectAccessible(admin)
  }
  await send.click()
  await expect(step.getByLabel('Mail server (SMTP)')).toHaveAccessibleDescription(/Please enter the mail server/)
  await step.getByRole('link', { name: 'Settings' }).click()

  const save = admin.getByRole('button', { name: 'Send Test Email and Save' })
  await expect(save).toBeEnabled()
  const password = admin.getByLabel('Password', { exact: true })
  for (const [label, value] of [
    ['Mail server (SMTP)', 'localhost'],
    ['Username', 'tv@mail.example'],
    ['Sender address', 'tv@mail.example'],
    ['Port', String(sink.port)],
    ['Certificate of your own CA', tls.cert],
  ] as const)
    await admin.getByLabel(label).fill(value)
  await password.fill('wrong')
  await save.click()
  await expect(password).toHaveAccessibleDescription(/refused the username or the password/)
  await expect(password).toHaveValue('wrong')
  await expect(admin.getByLabel('Username')).toHaveValue('tv@mail.example')
  await password.fill('right')
  await admin.keyboard.press('Enter')
  await expect(admin.getByText(`Emails are sent through port ${sink.port} with STARTTLS.`)).toBeVisible()
  expect(sink.mails[0]).toMatchObject({ isSecure: true, user: 'tv@mail.example' })
  await admin.goto('/admin/overview')
  await expect(admin.getByRole('listitem').filter({ hasText: 'Emails are sent.' })).toBeVisible()
  await sink.close()
})
