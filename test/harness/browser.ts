import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, test as base, expect, type Page, type Response } from '@playwright/test'
import { type FakePanel, startFakePanel } from './fake-panel.ts'
import { dataFolder, type RunningApp, runApp } from './running-app.ts'

const adminName = 'admin'
const adminPassword = 'browser-tests-only'

export type Customer = { page: Page; username: string; email: string; password: string }
type NewCustomer = { username?: string; email?: string; fullName?: string; referralCode?: string }

type PageFixtures = {
  /** Accepts an error that this test provokes on purpose, such as the console message about a refused login. */
  allowPageError: (pattern: RegExp) => void
  pageErrors: PageErrors
  /** A page with its own cookies: another user on another machine. */
  newPage: () => Promise<Page>
  /** Registers a customer, who is then logged in on page `on`, by default the test's page. */
  register: (as?: NewCustomer, on?: Page) => Promise<Customer>
  /** Logs in the administrator, by default on a new page. */
  signInAdmin: (on?: Page) => Promise<Page>
}

/** A browser test of a running app. It fails on any page error: console error, exception, failed request, CSP violation. */
export const test = base.extend<
  PageFixtures,
  { app: RunningApp; data: string; panel: FakePanel; environment: Record<string, string> }
>({
  /** Further environment variables of the app. A spec that sets them gets an app of its own. */
  environment: [{}, { option: true, scope: 'worker' }],
  /** The IPTV panel that the app is configured with. */
  panel: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const panel = await startFakePanel()
      await use(panel)
      await panel.close()
    },
    { scope: 'worker' },
  ],
  /** The data folder of the app. */
  data: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const data = dataFolder()
      await use(data.path)
      data.remove()
    },
    { scope: 'worker' },
  ],
  app: [
    async ({ panel, data, environment }, use) => {
      const app = await runApp({
        dataDir: data,
        env: {
          ADMIN_USERNAME: adminName,
          ADMIN_PASSWORD: adminPassword,
          RATE_LIMIT_FACTOR: '100000',
          SEED: 'sample',
          PANEL_URL: panel.url,
          PANEL_ALLOW_PRIVATE: 'true',
          ...environment,
        },
      })
      // Payments need accounts to be paid into; tests of a fresh installation leave them unset.
      if (environment.HANDLES !== 'unset') await setHandles(app.url)
      await use(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ app }, use) => use(app.url),
  pageErrors: [
    async ({ app }, use, info) => {
      const pageErrors = new PageErrors()
      await use(pageErrors)
      if (info.status !== info.expectedStatus)
        await info.attach('output of the app', { body: app.output(), contentType: 'text/plain' })
      expect(pageErrors.unexpected(), 'errors of the pages').toEqual([])
    },
    { auto: true },
  ],
  page: async ({ page, javaScriptEnabled }, use) =>
    use(javaScriptEnabled === false ? page : waitForScriptsAfterNavigation(page)),
  context: async ({ context, pageErrors, javaScriptEnabled }, use) => {
    // With JavaScript off the browser refuses to fetch scripts, which counts as a failed request.
    if (javaScriptEnabled === false) pageErrors.expect(/^request: GET \S+\.js csp$/)
    await pageErrors.listen(context)
    await use(context)
  },
  allowPageError: ({ pageErrors }, use) => use((pattern) => pageErrors.expect(pattern)),
  newPage: async ({ browser, baseURL, pageErrors, contextOptions, viewport }, use) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext({ ...contextOptions, viewport, baseURL })
      contexts.push(context)
      await pageErrors.listen(context)
      return waitForScriptsAfterNavigation(await context.newPage())
    })
    for (const context of contexts) await context.close()
  },
  register: async ({ page, app }, use) => {
    let count = 0
    await use(async (as = {}, on = page) => {
      const username = as.username ?? `person-${Date.now().toString(36)}-${count++}`
      const customer = { username, email: as.email ?? `${username}@example.org`, password: 'correct-horse-battery' }
      await post(on, app.url, '/api/register', { ...as, ...customer })
      return { ...customer, page: on }
    })
  },
  signInAdmin: async ({ newPage, app }, use) => {
    await use(async (on) => {
      const page = on ?? (await newPage())
      await post(page, app.url, '/api/login', { username: adminName, password: adminPassword })
      return page
    })
  },
})

export { expect }

/**
 * Makes `goto` and `reload` wait until React handles events, since a test would otherwise click too early. A test of the time before that passes
 * `waitUntil: 'commit'`.
 */
function waitForScriptsAfterNavigation(page: Page): Page {
  const goto = page.goto.bind(page)
  const reload = page.reload.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await waitForScripts(page, response)
    return response
  }
  page.reload = async (options) => {
    const response = await reload(options)
    await waitForScripts(page, response)
    return response
  }
  return page
}

async function waitForScripts(page: Page, response: Response | null): Promise<void> {
  if (!response?.headers()['content-type']?.startsWith('text/html')) return
  await page.waitForFunction(() => {
    const title = document.querySelector('main h1')
    return !('takeClicks' in window) && (!title || Object.keys(title).some((key) => key.startsWith('__reactProps')))
  })
}

/** Sets the payment accounts through the API, as the administrator. */
async function setHandles(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json', origin: url }
  const login = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username: adminName, password: adminPassword }),
  })
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const address = `${url}/api/admin/settings/payments`
  const { version, value } = (await (await fetch(address, { headers: { cookie } })).json()) as {
    version: string
    value: object
  }
  const body = JSON.stringify({ version, value: { ...value, cashtag: '$SauceTVDemo', venmoHandle: '@saucetv-demo' } })
  const saved = await fetch(address, { method: 'PUT', headers: { ...headers, cookie }, body })
  expect(saved.ok, await saved.text()).toBe(true)
}

/** Sends a write with the cookies of the page, as its scripts do. Fails on an error status. */
async function post(page: Page, origin: string, path: string, data: object): Promise<void> {
  const response = await page.request.post(path, { data, headers: { origin } })
  expect(response.ok(), `${path} returned ${response.status()}: ${await response.text()}`).toBe(true)
}

class PageErrors {
  readonly #seen: string[] = []
  readonly #expected: RegExp[] = []

  expect(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  unexpected(): string[] {
    return this.#seen.filter((error) => !this.#expected.some((pattern) => pattern.test(error)))
  }

  async listen(context: BrowserContext): Promise<void> {
    context.on('console', (message) => {
      if (message.type() === 'error') this.#seen.push(`console: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', (error) =>
      this.#seen.push(
        `exception: ${error.error().stack || String(error.error()) || 'a thrown value that is not an Error'} (${error.page()?.url()})`,
      ),
    )
    context.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      // The page navigated away before the response came.
      if (reason !== 'net::ERR_ABORTED') this.#seen.push(`request: ${request.method()} ${request.url()} ${reason}`)
    })
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(
          `policy: ${event.effectiveDirective} refused ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
        ),
      )
    })
  }
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Fails on every violation that axe finds on the page. Portals of Base UI are outside of landmarks by design. */
export async function expectAccessible(page: Page): Promise<void> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).withTags(standards)
  // The default mode opens a second page for each analysis; only pages with frames need it.
  if (page.frames().length === 1) axe.setLegacyMode()
  const { violations } = await axe.analyze()
  const found: string[] = []
  for (const { id, help, nodes } of violations) {
    for (const { target, failureSummary } of nodes) {
      const selector = String(target.at(-1))
      if (id !== 'region' || !(await isInPortal(page, selector)))
        found.push(`${id}: ${help}\n  ${selector}: ${failureSummary}`)
    }
  }
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}

const isInPortal = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((inside) => Boolean(document.querySelector(inside)?.closest('[data-base-ui-portal]')), selector)
