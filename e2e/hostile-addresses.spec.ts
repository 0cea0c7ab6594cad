import { once } from 'node:events'
import WebSocket from 'ws'
import { expect } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { isFullSize } from '../test/harness/scale.ts'
import { expectNoInjection, test } from './hostile-page.ts'
import { hostileTexts } from './hostile-texts.ts'

/** The hostile texts that are valid in a header. */
const headerTexts = hostileTexts.filter((text) => /^[\x20-\x7e]+$/.test(text))

test('hostile user agents and paths are shown as text in the visitor list', async ({
  app,
  page,
  signInAdmin,
  watched: _,
}) => {
  const sockets = await Promise.all(
    headerTexts.map(async (text) => {
      const socket = new WebSocket(`${app.url.replace('http', 'ws')}/ws`, {
        headers: { origin: app.url, 'user-agent': text },
      })
      await once(socket, 'open')
      socket.send(JSON.stringify({ type: 'page', path: `/${text}` }))
      return socket
    }),
  )
  await signInAdmin(page)
  await page.goto('/admin?tab=visitors&pageSize=100')
  await expect(page.locator('tbody').getByRole('row').nth(60)).toBeAttached()
  await page.getByText('window.ran', { exact: false }).first().waitFor({ state: 'attached' })
  await expectNoInjection(page, 'visitors')
  for (const socket of sockets) socket.terminate()
})

test('hostile URL parameters are shown as text @proof', async ({
  page,
  register,
  signInAdmin,
  allowPageError,
  watched: _,
}) => {
  test.setTimeout(240_000)
  allowPageError(/status of 4\d\d/)
  const parts = [0, 1, 2, 3].map((part) =>
    hostileTexts.filter((_text, index) => index % 4 === part && _text.length < 1_000).join(' '),
  )
  const visitAll = async (paths: string[]) => {
    for (const [index, path] of paths.entries())
      for (const part of isFullSize ? parts : [parts[index % parts.length]!]) {
        const address = path.replaceAll('*', () => encodeURIComponent(part))
        await page.goto(address)
        await expectNoInjection(page, address.slice(0, 100))
      }
  }
  await visitAll([
    '/channels?category=*&search=*',
    '/auth?redirect=*&ref=*',
    '/register?ref=*',
    '/reset-password?token=*',
    '/verify-email?token=*',
    '/*',
  ])
  await register()
  await visitAll(['/checkout?planId=*&invoiceNumber=*', '/dashboard?tab=*', '/invoice/*'])
  await page.context().clearCookies()
  await signInAdmin(page)
  await visitAll(['/admin?tab=users&search=*&sort=*', '/admin/audit?search=*&action=*', '/admin/users/*'])
})

test('hostile names of a panel’s channels and categories are shown as text in the import @proof', async ({
  page,
  panel,
  signInAdmin,
  watched: _,
}) => {
  panel.watch.categories = hostileTexts.map((text, index) => ({ category_id: String(index), category_name: text }))
  panel.watch.streams = hostileTexts.map((text, index) => ({
    stream_id: index + 1,
    name: text,
    category_id: String(index),
    stream_type: 'live',
  }))
  await signInAdmin(page)
  await page.goto('/admin/catalogue?tab=import')
  await page.getByLabel('Line username').fill('line')
  await page.getByLabel('Line password').fill(linePassword)
  await page.getByRole('button', { name: 'Show what would be added' }).click()
  await page.getByText(hostileTexts[0]!, { exact: false }).first().waitFor({ state: 'attached' })
  await expectNoInjection(page, 'the import of channels')
})
