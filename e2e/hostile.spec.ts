import type { BrowserContext, Page } from '@playwright/test'
import { connect } from '#server/db/connect.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { type Caller, type Customer, expect } from '../test/harness/browser.ts'
import { sampled } from '../test/harness/scale.ts'
import { silentLog } from '../test/harness/silent-log.ts'
import { expectNoInjection, test } from './hostile-page.ts'
import { writeHostileRows, writeHostileSettings } from './hostile-rows.ts'
import { hostileTexts } from './hostile-texts.ts'

// Uses its own app, because later journeys would show its brand and catalog.
test.use({ environment: { JOURNEYS: 'hostile' } })

const first = hostileTexts[0]!
const last = hostileTexts.length - 1

test('hostile text in any form is stored as text or refused, never run', async ({
  page,
  app,
  register,
  watched: _,
}) => {
  await register()
  const send = async (path: string, data: object, method: 'post' | 'put' = 'post') => {
    const response = await page.request[method](path, { data, headers: { origin: app.url } })
    expect([200, 400], `${path}: ${await response.text()}`).toContain(response.status())
    return response.status()
  }
  const texts = sampled(hostileTexts, 5)
  let taken = 0
  for (const text of texts) {
    if (
      (await send('/api/reports', { contentType: 'channel', contentName: text, issue: 'other', description: text })) ===
      200
    )
      taken++
    await send('/api/inquiries', { name: text, email: 'visitor@example.org', message: `${text} and more` })
    await send('/api/inquiries', { name: 'Visitor', email: `${text}@example.org`, message: 'Ten letters at least' })
    await send('/api/register', {
      username: text,
      email: 'x@example.org',
      password: 'correct-horse-battery',
      fullName: text,
    })
  }
  // Texts with control or direction characters are refused. A NUL character makes any text invalid.
  expect(taken).toBeGreaterThan(texts.length / 2)
  expect(taken).toBeLessThan(texts.length)
  for (const text of hostileTexts.slice(0, 5))
    expect(await send('/api/reports', { contentType: 'channel', contentName: `${text}\u0000`, issue: 'other' })).toBe(
      400,
    )
  await page.goto('/dashboard?tab=reports')
  await page.getByText(first, { exact: true }).first().waitFor()
  await expectNoInjection(page, 'own reports')
})

type Stored = { userId: number; hostileIds: number[]; cookies: Awaited<ReturnType<BrowserContext['cookies']>> }
let stored: Stored | undefined

/** Writes every text into every field, bypassing all forms, once for this app. */
async function store(page: Page, { page: own, username }: Customer<Caller>, dataDir: string): Promise<Stored> {
  const embedded = await startEmbedded({ dataDir, log: silentLog })
  const { pool, close } = connect(embedded.connection, { log: silentLog })
  try {
    const { rows } = await pool.query<{ id: number; role: string }>(
      "select id, role from users where username = $1 or role = 'admin' order by role",
      [username],
    )
    const userId = rows.find(({ role }) => role === 'user')!.id
    const hostileIds = await writeHostileRows(pool, userId, rows.find(({ role }) => role === 'admin')!.id)
    await writeHostileSettings(
      pool,
      (await (await page.request.get('/api/site')).json()) as Record<string, Record<string, unknown>>,
    )
    return { userId, hostileIds, cookies: (await own.request.storageState()).cookies }
  } finally {
    await close()
    await embedded.stop()
  }
}

const visitor =
  (page: Page) =>
  async (path: string, shows: string | undefined = first) => {
    await page.goto(path)
    if (shows) await page.getByText(shows, { exact: false }).first().waitFor({ state: 'attached' })
    await expectNoInjection(page, path)
  }

test('hostile texts in the database are shown as text on every page of visitors and customers, and in print @proof', async ({
  page,
  data,
  register,
  newCaller,
  watched: _,
}) => {
  test.setTimeout(360_000)
  stored ??= await store(page, await register({}, await newCaller()), data)
  const visit = visitor(page)
  const pages = [
    '/faq',
    '/devices',
    '/pricing',
    '/channels?category=news',
    '/terms',
    '/privacy',
    '/refund-policy',
    '/cookies',
    '/dmca',
  ]
  for (const path of sampled(pages, 4)) await visit(path)
  for (const path of ['/', '/channels/lineup', '/contact']) await visit(path, '')
  await visit('/setup', '<img src=x onerror=window.ran=1>')

  await page.context().addCookies(stored.cookies)
  for (const path of ['/dashboard?tab=reports', '/dashboard?tab=referrals', '/invoices', '/request-trial', '/security'])
    await visit(path, path === '/request-trial' ? '' : first)
  await visit('/dashboard', '')
  await visit('/dashboard?tab=iptv')
  for (const index of sampled([0, 1, 2, 4, 7, 56, 64, last], 8)) {
    const number = `ORD-H${String(index).padStart(5, '0')}`
    await visit(`/checkout?planId=1&invoiceNumber=${number}`, hostileTexts[index]!.slice(0, 20))
    await visit(`/invoice/${number}`, hostileTexts[index]!.slice(0, 20))
    await page.emulateMedia({ media: 'print' })
    await expectNoInjection(page, `${number} in print`)
    await page.emulateMedia({ media: 'screen' })
  }
  for (const index of sampled([last, 0], 2)) await visit(`/credit-note/CN-${String(index + 1).padStart(6, '0')}`)
})

test('hostile texts in the database are shown as text on every page and in every dialog of administrators @proof', async ({
  page,
  data,
  register,
  newCaller,
  signInAdmin,
  watched: _,
}) => {
  test.setTimeout(360_000)
  stored ??= await store(page, await register({}, await newCaller()), data)
  const { userId, hostileIds } = stored
  const visit = visitor(page)
  await signInAdmin(page)
  for (const index of sampled([0, 12, 64, last], 4))
    await visit(`/admin/users/${hostileIds[index]}`, hostileTexts[index]!.slice(0, 20))
  for (const path of [`/admin/users/${userId}`, '/admin/mails?pageSize=100', '/admin/settings', '/admin/catalogue'])
    await visit(path, '')
  for (const tab of sampled(['channels', 'devices', 'faqs'], 2))
    await visit(`/admin/catalogue?tab=${tab}&pageSize=100&search=script`)
  const lists = [
    'users',
    'subscriptions',
    'roles',
    'invoices',
    'invoices&refund=pending',
    'reports',
    'trials&status=all',
    'visitors',
  ].map((tab) => `/admin?tab=${tab}&pageSize=100`)
  lists.push('/admin/inquiries?pageSize=100', '/admin/audit?pageSize=100', '/admin/lines?pageSize=100')
  for (const path of sampled(lists, 4)) {
    const isPeople = /users|subscriptions|roles|visitors|mails/.test(path)
    await visit(path, isPeople ? '' : first)
    const rows = page.locator('tbody').getByRole('row')
    if (!path.includes('visitors')) await expect(rows.nth(30)).toBeAttached()
    // The newest rows contain all texts; each of the next ones contains one.
    for (const index of sampled([0, 1, 9, 30], 3)) {
      const button = rows.nth(index).getByRole('button').last()
      if ((await button.count()) === 0) continue
      await button.click()
      const dialog = page.locator('[role=dialog]:visible, [role=alertdialog]:visible').last()
      await dialog.waitFor()
      await expectNoInjection(page, `${path}, dialog ${index}`)
      await page.keyboard.press('Escape')
      await expect(page.locator('[role=dialog]:visible, [role=alertdialog]:visible')).toHaveCount(0)
    }
  }
})
