import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { sampled } from '../test/harness/scale.ts'
import { holdScripts } from './hold-scripts.ts'

type Inquiry = { name: string; email: string; message: string; planId?: number; newsletterOpt: boolean }

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true })
const send = (page: Page) => page.getByRole('button', { name: 'Send Message' })
const open = async (page: Page, path = '/contact') => {
  await page.goto(path)
  await expect(send(page)).toBeEnabled()
}
const fill = async (
  page: Page,
  { name = 'Lena Vogt', email = 'lena@example.org', message = 'Which plan has the news from home?' } = {},
) => {
  await field(page, 'Name').fill(name)
  await field(page, 'Email').fill(email)
  await field(page, 'Message').fill(message)
}
const expectTyped = async (page: Page) => {
  await expect(field(page, 'Name')).toHaveValue('Lena Vogt')
  await expect(field(page, 'Email')).toHaveValue('lena@example.org')
  await expect(field(page, 'Message')).toHaveValue('Which plan has the news from home?')
  await expect(page.getByLabel('Send me the newsletter')).toBeChecked()
}
const toast = (page: Page, title: string) =>
  page.getByRole('region', { name: /Notification/ }).filter({ hasText: title })

test('no errors before the first submit, then a separate message for each rule @proof', async ({ page }) => {
  await open(page)
  await field(page, 'Name').focus()
  await field(page, 'Email').focus()
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)

  await fill(page, { name: 'L', email: 'nobody', message: 'Too short' })
  await send(page).click()
  const rules = {
    Name: 'Name must be at least 2 characters.',
    Email: 'Please enter a valid email address.',
    Message: 'Message must be at least 10 characters.',
  }
  for (const [label, rule] of Object.entries(rules)) {
    await expect(field(page, label)).toHaveAccessibleDescription(rule)
    await expect(field(page, label)).toHaveAttribute('aria-invalid', 'true')
  }
  await page.getByRole('link', { name: rules.Email }).click()
  await expect(field(page, 'Email')).toBeFocused()
  await field(page, 'Email').fill('lena@example.org')
  await expect(field(page, 'Email')).not.toHaveAttribute('aria-invalid', 'true')
})

test('an invalid field gets the focus @proof', async ({ page }) => {
  await open(page)
  await fill(page, { email: '' })
  await send(page).click()
  await expect(field(page, 'Email')).toBeFocused()
})

test('the server refuses the same input with the same messages as the form', async ({ request, baseURL }) => {
  const response = await request.post('/api/inquiries', {
    data: { name: 'L', email: 'nobody', message: 'Too short' },
    headers: { origin: baseURL! },
  })
  expect(response.status()).toBe(400)
  const { issues } = (await response.json()) as { issues: { path: string; message: string }[] }
  expect(issues).toEqual([
    { path: 'name', message: 'Name must be at least 2 characters.' },
    { path: 'email', message: 'Please enter a valid email address.' },
    { path: 'message', message: 'Message must be at least 10 characters.' },
  ])
})

const failures = {
  'the server breaks down': {
    complaint: /status of 500/,
    answer: (page: Page) =>
      page.route(
        '**/api/inquiries',
        (route) => route.fulfill({ status: 500, json: { message: 'Internal error', code: 'internal' } }),
        { times: 1 },
      ),
    says: 'Failed to submit the form: Internal error',
  },
  'there have been too many messages': {
    complaint: /status of 429/,
    answer: (page: Page) =>
      page.route(
        '**/api/inquiries',
        (route) => route.fulfill({ status: 429, json: { message: 'Please wait a while', code: 'too_many' } }),
        { times: 1 },
      ),
    says: 'Failed to submit the form: Please wait a while',
  },
  'the line is down': {
    complaint: /ERR_INTERNET_DISCONNECTED/,
    answer: (page: Page) =>
      page.route('**/api/inquiries', (route) => route.abort('internetdisconnected'), { times: 1 }),
    says: 'Failed to submit the form: ',
  },
}
for (const [happening, { complaint, answer, says }] of sampled(Object.entries(failures), 3))
  test(`when ${happening} the page shows an error, keeps all input, and the next try succeeds`, async ({
    page,
    allowPageError,
  }) => {
    allowPageError(complaint)
    await open(page)
    await fill(page)
    await page.getByLabel('Send me the newsletter').check()
    await answer(page)
    await send(page).click()
    await expect(toast(page, 'Error')).toContainText(says)
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
    await expectTyped(page)
    await send(page).click()
    await expect(toast(page, 'Success!')).toBeVisible()
  })

test('a message is stored with its plan and newsletter choice, confirmed, and the form is reset', async ({
  page,
  request,
}) => {
  const [plan] = (await (await request.get('/api/plans')).json()) as { id: number; name: string }[]
  await open(page)
  await expect(page.getByLabel('Send me the newsletter')).not.toBeChecked()
  await fill(page)
  await page.getByLabel('Plan (optional)').selectOption(plan!.name)
  await page.getByLabel('Send me the newsletter').check()
  const sent = page.waitForRequest('**/api/inquiries')
  await send(page).click()
  await expect(toast(page, 'Success!')).toContainText("Thank you for your message! We'll get back to you soon.")
  const body = (await sent).postDataJSON() as Inquiry
  expect(body).toEqual({
    name: 'Lena Vogt',
    email: 'lena@example.org',
    message: 'Which plan has the news from home?',
    planId: plan!.id,
    newsletterOpt: true,
  })
  expect((await (await sent).response())?.status()).toBe(200)
  for (const label of ['Name', 'Email', 'Message']) await expect(field(page, label)).toHaveValue('')
  await expect(page.getByLabel('Plan (optional)')).toHaveValue('none')
  await expect(page.getByLabel('Send me the newsletter')).not.toBeChecked()
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0)
  await expectAccessible(page)
})

test('a second click while a message is being sent does not send it twice @proof', async ({ page }) => {
  await open(page)
  await fill(page)
  let sent = 0
  const released = Promise.withResolvers<void>()
  await page.route('**/api/inquiries', async (route) => {
    sent++
    await released.promise
    await route.continue()
  })
  await send(page).click()
  await expect(send(page)).toHaveAttribute('aria-disabled', 'true')
  await send(page).click({ force: true })
  await page.keyboard.press('Enter')
  released.resolve()
  await expect(toast(page, 'Success!')).toBeVisible()
  expect(sent).toBe(1)
})

test('input typed before the form’s script loads is kept @proof', async ({ page }) => {
  const releaseScripts = await holdScripts(page)
  await page.goto('/contact', { waitUntil: 'commit' })
  await fill(page)
  await expect(send(page)).toBeDisabled()
  releaseScripts()
  await send(page).click()
  await expect(toast(page, 'Success!')).toBeVisible()
})

test('the form on the home page loads when its section is near the viewport, and works @proof', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  await expect(send(page)).toHaveCount(0)
  await page.getByRole('heading', { name: 'Talk to us' }).scrollIntoViewIfNeeded()
  await fill(page)
  await send(page).click()
  await expect(toast(page, 'Success!')).toBeVisible()
})
