import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { test as base, expect, expectAccessible } from '../test/harness/browser.ts'
import { inEachLook } from '../test/harness/looks.ts'
import { freePort } from '../test/harness/running-app.ts'

type Provider = { url: string; asked: string[] }

/** A replacement for Chatwoot's script that adds a style element, opens an iframe and records its calls. */
const script = (url: string) => `
  window.calls = []
  document.cookie = 'cw_conversation=1; path=/'
  const style = document.createElement('style')
  style.textContent = '.provider { position: fixed; right: 20px; bottom: 20px; width: 200px; height: 80px }'
  document.head.append(style)
  window.chatwootSDK = { run: (options) => {
    calls.push(['run', options])
    const frame = document.createElement('iframe')
    frame.className = 'provider'
    frame.title = 'The chat'
    frame.src = ${JSON.stringify(url)} + '/widget?website_token=' + options.websiteToken
    frame.onload = () => dispatchEvent(new Event('chatwoot:ready'))
    document.body.append(frame)
    const record = (name) => (...args) => calls.push([name, ...args])
    window.$chatwoot = { setUser: record('setUser'), reset: record('reset'), toggle: record('toggle') }
  } }`

async function startProvider(): Promise<Provider & { close: () => void }> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const isScript = request.url === '/packs/js/sdk.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? script(url) : '<!doctype html><title>Chat</title><p>How can we help?')
  }).listen(port)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, asked, close }
}

const test = base.extend<{ provider: Provider }>({
  provider: async ({ installations }, use) => use(await installations.server(startProvider)),
  environment: ({ provider }, use) =>
    use({
      CHAT_PROVIDER: 'chatwoot',
      CHAT_WEBSITE_ID: 'abcDEF0123456789',
      CHAT_URL: provider.url,
      CHAT_SECRET: 'shared-with-the-provider',
    }),
})

const chatButton = (page: Page) => page.getByRole('button', { name: 'Chat', exact: true })
const providerFrame = (page: Page) => page.getByTitle('The chat')
const widgetCalls = (page: Page) =>
  page.evaluate(() => (window as unknown as { calls?: [string, ...unknown[]][] }).calls)
const startChat = async (page: Page) => {
  await chatButton(page).click()
  await page.getByRole('button', { name: 'Start Chat' }).click()
  await expectOpen(page)
}
const expectOpen = async (page: Page) => {
  await expect(providerFrame(page)).toBeVisible()
  await expect.poll(async () => (await widgetCalls(page))?.at(-1)).toEqual(['toggle', 'open'])
}
const policyOf = async (page: Page, path: string) => {
  const { headers, status } = await page.request
    .get(path)
    .then((response) => ({ headers: response.headers(), status: response.status() }))
  return { status, policy: headers['content-security-policy'] ?? '', embedder: headers['cross-origin-embedder-policy'] }
}

test('only the CSP of public pages allows the provider @proof', async ({ page, provider, register }) => {
  for (const path of ['/', '/pricing', '/contact', '/channels/lineup']) {
    const { policy, embedder } = await policyOf(page, path)
    expect(policy, path).toContain(`script-src 'self'`)
    expect(policy, path).toContain(provider.url)
    expect(embedder, path).toBe('unsafe-none')
  }
  await register()
  for (const path of ['/checkout', '/dashboard', '/invoices', '/nothing-here', '/api/plans']) {
    const { policy, embedder } = await policyOf(page, path)
    expect(policy, path).not.toContain(provider.url)
    expect(policy, path).not.toContain('unsafe-inline')
    expect(embedder, path).toBe('require-corp')
  }
})

test('nothing is loaded from the provider and no cookie is set before the visitor consents', async ({
  page,
  provider,
}) => {
  const before = provider.asked.length
  await page.goto('/pricing')
  await chatButton(page).click()
  const panel = page.getByRole('dialog', { name: 'Chat with us' })
  await expect(panel).toContainText('Our chat is run by Chatwoot')
  await expect(panel).toContainText('sets cookies in your browser')
  await expect(panel).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(chatButton(page)).toBeFocused()
  await chatButton(page).click()
  await page.getByRole('button', { name: 'Not Now' }).click()
  expect(provider.asked.length).toBe(before)
  expect(await page.context().cookies()).toEqual([])

  await startChat(page)
  expect(await widgetCalls(page)).toEqual([
    ['run', { websiteToken: 'abcDEF0123456789', baseUrl: provider.url }],
    ['toggle', 'open'],
  ])
  await expect(chatButton(page)).toBeHidden()
})

test('the chat stays open across public pages, and other pages never share a document with it @proof', async ({
  page,
}) => {
  await page.goto('/')
  await startChat(page)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'FAQ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Frequently Asked Questions' })).toBeVisible()
  await expect(providerFrame(page)).toBeVisible()

  await page.getByRole('link', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible()
  await expect(page).toHaveURL('/auth')
  await expect(providerFrame(page)).toHaveCount(0)
  await expect(chatButton(page)).toHaveCount(0)
  expect(await widgetCalls(page)).toBeUndefined()
  await page.goBack()
  await expect(page).toHaveURL('/faq')
})

test('opening the chat from a page whose CSP forbids it loads a document that allows it @proof', async ({ page }) => {
  await page.goto('/auth')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Choose Your Beast' })).toBeVisible()
  await startChat(page)
  await expect(page).toHaveURL('/pricing')
})

test('a customer is identified with the server’s signature, and the chat is reset on logout', async ({
  page,
  register,
}) => {
  const { username } = await register()
  await page.goto('/')
  await startChat(page)
  const [, id, about] = (await widgetCalls(page))!.find(([name]) => name === 'setUser')!
  expect(id).toMatch(/^user-\d+$/)
  expect(about).toEqual({ name: username, identifier_hash: expect.stringMatching(/^[\da-f]{64}$/) })

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('Logged out', { exact: true })).toBeVisible()
  await expect.poll(async () => (await widgetCalls(page))!.at(-1)).toEqual(['reset'])
})

test('the conversation of a previous user is ended before the next visitor of this browser sees it @proof', async ({
  page,
  register,
}) => {
  await register()
  await page.goto('/')
  await startChat(page)
  await page.context().clearCookies()
  await page.goto('/')
  await chatButton(page).click()
  await expectOpen(page)
  expect((await widgetCalls(page))!.map(([name]) => name)).toEqual(['run', 'reset', 'toggle'])
})

test('when the widget fails to load the page shows an error and another way to contact @proof', async ({
  page,
  provider,
  allowPageError,
}) => {
  allowPageError(/sdk\.js/)
  await page.route(`${provider.url}/**`, (route) => route.abort('blockedbyclient'))
  await page.goto('/devices')
  await chatButton(page).click()
  await page.getByRole('button', { name: 'Start Chat' }).click()
  const panel = page.getByRole('dialog', { name: 'The chat could not be loaded' })
  await expect(panel.getByRole('link', { name: 'Write to us' })).toBeVisible()
  await page.unroute(`${provider.url}/**`)
  await panel.getByRole('button', { name: 'Try Again' }).click()
  await expect(providerFrame(page)).toBeVisible()
})

inEachLook({ widths: [320, 1440], height: 800 }, () => {
  test('the chat’s panel is accessible @proof', async ({ page }) => {
    await page.goto('/contact')
    await chatButton(page).click()
    await expect(page.getByRole('dialog', { name: 'Chat with us' })).toBeVisible()
    await expectAccessible(page)
  })
})
