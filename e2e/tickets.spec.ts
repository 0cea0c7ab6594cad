import { expect, expectAccessible, test } from '../test/harness/browser.ts'

test('a customer and an administrator write to each other, live, and nothing that was typed is lost', async ({
  page,
  register,
  signInAdmin,
  app,
  allowPageError,
}) => {
  allowPageError(/status of 409/)
  const { username } = await register()
  const subject = `Hotel of ${username}`
  const asked = await page.request.post('/api/inquiries', {
    data: { name: 'Ada Quill', email: 'ada@example.org', message: `${subject}\nTwelve rooms.` },
    headers: { origin: app.url },
  })
  expect(asked.ok()).toBe(true)
  await page.goto('/messages')
  await page.getByRole('link', { name: subject }).click()
  await expect(page.getByText('Twelve rooms.')).toBeVisible()

  const admin = await signInAdmin()
  await admin.goto(`/admin/tickets?search=${encodeURIComponent(subject)}`)
  await admin.getByRole('link', { name: subject }).click()
  const reply = admin.getByLabel('Reply', { exact: true }).and(admin.getByRole('textbox'))
  await reply.fill('Yes, with Beast.')
  await admin.reload()
  await expect(reply).toHaveValue('Yes, with Beast.')
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Send Reply' }).click()
  await expect(admin.getByLabel('Status', { exact: true })).toHaveValue('waiting')

  await expect(page.getByText('Yes, with Beast.')).toBeVisible()
  await page.getByLabel('Your answer').fill('And in winter?')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(admin.getByText('And in winter?')).toBeVisible()

  // A message that arrives while a reply is being typed stops the first attempt to send the reply. The text stays.
  await reply.fill('In winter too.')
  await page.getByLabel('Your answer').fill('And a discount?')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(admin.getByText('And a discount?')).toBeVisible()
  await admin.getByRole('button', { name: 'Send Reply' }).click()
  await expect(admin.getByText('There is a newer message in this ticket')).toBeVisible()
  await expect(reply).toHaveValue('In winter too.')
  await admin.getByRole('button', { name: 'Send Reply' }).click()
  await expect(page.getByText('In winter too.')).toBeVisible()
  await page.getByLabel('Your answer').fill('Thank you!')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(admin.getByText('Thank you!')).toBeVisible()

  await admin.goto('/admin/overview')
  const entry = admin.getByRole('listitem').filter({ hasText: `${username} waits for an answer` })
  await entry.getByRole('button', { name: /^Mark Solved/ }).click()
  await expect(page.getByText('Solved', { exact: true })).toBeVisible()
  await entry.getByRole('button', { name: /^Undo/ }).click()
  await expect(page.getByText('Open', { exact: true })).toBeVisible()
})
