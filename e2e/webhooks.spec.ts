import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { savePicture } from '../test/harness/looks.ts'
import { isSignedBy, webhookReceiver } from '../test/harness/webhook-receiver.ts'

test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })

test('an owner adds a webhook on a phone, tests it, gets a notice, replaces the secret and deletes it', async ({
  page,
  newCaller,
  app,
  signInAdmin,
  allowPageError,
}, info) => {
  allowPageError(/status of 400/)
  const receiver = await webhookReceiver()
  const owner = await signInAdmin(page)
  await owner.goto('/admin/settings?section=webhooks')
  await expect(owner.getByText('No webhooks yet.')).toBeVisible()
  await expectAccessible(owner)

  await owner.getByRole('button', { name: 'Add Webhook' }).click()
  const form = owner.getByRole('dialog', { name: 'Add Webhook' })
  await form.getByRole('button', { name: 'Add Webhook' }).click()
  await expect(form.getByLabel('Name')).toHaveAccessibleDescription(/at least 2 characters/)
  await form.getByLabel('Name').fill('Desk program')
  await form.getByRole('button', { name: 'Add Webhook' }).click()
  await expect(form.getByLabel('Address')).toHaveAccessibleDescription(/Please enter the address/)
  await form.getByLabel('Type').selectOption('telegram')
  await expect(form.getByLabel('Chat id')).toBeVisible()
  await form.getByLabel('Type').selectOption('signed')
  await form.getByLabel('Address').fill(`${receiver.url}/in`)
  await expectAccessible(owner)
  await savePicture(owner, info, 'form')
  await form.getByRole('button', { name: 'Add Webhook' }).click()

  const shown = owner.getByRole('dialog', { name: 'Signing Secret' })
  const secret = await shown.locator('code', { hasText: 'whsec_' }).innerText()
  await expectAccessible(owner)
  await savePicture(owner, info, 'secret')
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(shown).toBeHidden()
  const list = owner.getByRole('list', { name: 'Webhooks', exact: true })
  await expect(list).toContainText('Signed webhook, 127.0.0.1')

  await list.getByRole('button', { name: 'Deliveries of Desk program' }).click()
  const dialog = owner.getByRole('dialog', { name: 'Deliveries of Desk program' })
  await expect(dialog.getByText('No notices yet.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Send Test' }).click()
  const deliveries = dialog.getByRole('list', { name: 'Latest deliveries' })
  await expect(deliveries.getByRole('listitem')).toContainText(/Test.*HTTP 204/s)
  expect(isSignedBy(secret, receiver.received[0]!)).toBe(true)

  const visitor = await newCaller()
  receiver.answers.push({ status: 500 })
  const inquiry = { name: 'Ada Quill', email: 'ada@example.org', message: 'Do you have radio?' }
  const asked = await visitor.request.post('/api/inquiries', { data: inquiry, headers: { origin: app.url } })
  expect(asked.ok()).toBe(true)
  await expect(deliveries.getByRole('listitem').first()).toContainText(/New inquiry #\d+.*HTTP 500/s)
  // The second attempt follows after five seconds.
  await expect(deliveries.getByRole('listitem').first()).toContainText(/New inquiry #\d+.*2 attempts, HTTP 204/s)
  const [, first, second] = receiver.received
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  expect(second!.json).toMatchObject({ type: 'inquiry' })
  await expectAccessible(owner)
  await savePicture(owner, info, 'deliveries')
  expect(await owner.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

  await dialog.getByRole('button', { name: 'Replace Secret' }).click()
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Replace Secret' }).click()
  await expect(dialog.locator('code', { hasText: 'whsec_' })).not.toHaveText(secret)
  await expect(owner.getByRole('alertdialog')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await expect(dialog.getByRole('button', { name: 'Resume' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Delete Webhook' }).click()
  await expect(owner.getByText('No webhooks yet.')).toBeVisible()
  await expectAccessible(owner)
  await receiver.close()
})
