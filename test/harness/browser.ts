import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, test as base, expect, type Page, type Response } from '@playwright/test'
import { type FakePanel, startFakePanel } from './fake-panel.ts'
import { dataFolder, type RunningApp, runApp } from './running-app.ts'

const adminName = 'admin'
const adminPassword = 'browser-tests-only'

export type Person = { page: Page; username: string; email: string; password: string }
type NewPerson = { username?: string; email?: string; fullName?: string; referralCode?: string }

type Journey = {
  /** A complaint of the page that this journey provokes on purpose, such as the console's line about a refused log-in. */
  expectComplaint: (pattern: RegExp) => void
  complaints: Complaints
  /** A page with cookies of its own: another person at another machine. */
  newPage: () => Promise<Page>
  /** A new customer, signed in on the journey's page or on the page given. */
  register: (as?: NewPerson, on?: Page) => Promise<Person>
  /** The administrator, on a page of their own. */
  signInAdmin: (on?: Page) => Promise<Page>
}

/** A journey through the running product. It fails on any complaint of a page: console, exception, request, policy. */
export const test = base.extend<
  Journey,
  { app: RunningApp; data: string; panel: FakePanel; environment: Record<string, string> }
>({
  /** More settings of the app, for journeys through what is off at first. */
  environment: [{}, { option: true, scope: 'worker' }],
  /** The IPTV panel that the app asks. */
  panel: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const panel = await startFakePanel()
      await use(panel)
      await panel.close()
    },
    { scope: 'worker' },
  ],
  /** The folder of the app's data. */
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
      // An operator who is open for business has set where payments go; journeys through a fresh installation leave it unset.
      if (environment.HANDLES !== 'unset') await setHandles(app.url)
      await use(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ app }, use) => use(app.url),
  complaints: [
    async ({ app }, use, info) => {
      const complaints = new Complaints()
      await use(complaints)
      if (info.status !== info.expectedStatus)
        await info.attach('what the app said', { body: app.said(), contentType: 'text/plain' })
      expect(complaints.unexpected(), 'what the pages complained about').toEqual([])
    },
    { auto: true },
  ],
  page: async ({ page, javaScriptEnabled }, use) => use(javaScriptEnabled === false ? page : patient(page)),
  context: async ({ context, complaints, javaScriptEnabled }, use) => {
    // A browser told not to run scripts refuses to fetch them, which counts as a failed request.
    if (javaScriptEnabled === false) complaints.expect(/^request: GET \S+\.js csp$/)
    await complaints.listen(context)
    await use(context)
  },
  expectComplaint: ({ complaints }, use) => use((pattern) => complaints.expect(pattern)),
  newPage: async ({ browser, baseURL, complaints, contextOptions, viewport }, use) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext({ ...contextOptions, viewport, baseURL })
      contexts.push(context)
      await complaints.listen(context)
      return patient(await context.newPage())
    })
    for (const context of contexts) await context.close()
  },
  register: async ({ page, app }, use) => {
    let count = 0
    await use(async (as = {}, on = page) => {
      const username = as.username ?? `person-${Date.now().toString(36)}-${count++}`
      const person = { username, email: as.email ?? `${username}@example.org`, password: 'correct-horse-battery' }
      await post(on, app.url, '/api/register', { ...as, ...person })
      return { ...person, page: on }
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
 * People do not press within the first milliseconds, journeys do: pages are open when their scripts answer. A journey through the time before
 * says `waitUntil: 'commit'`.
 */
function patient(page: Page): Page {
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

/** Sets where payments go, as the administrator does on the page. */
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
  const place = `${url}/api/admin/settings/payments`
  const { version, value } = (await (await fetch(place, { headers: { cookie } })).json()) as {
    version: string
    value: object
  }
  const body = JSON.stringify({ version, value: { ...value, cashtag: '$SauceTVDemo', venmoHandle: '@saucetv-demo' } })
  const saved = await fetch(place, { method: 'PUT', headers: { ...headers, cookie }, body })
  expect(saved.ok, await saved.text()).toBe(true)
}

/** A write with the page's cookies, as its own scripts would send it. */
async function post(page: Page, origin: string, path: string, data: object): Promise<void> {
  const response = await page.request.post(path, { data, headers: { origin } })
  expect(response.ok(), `${path} answered ${response.status()}: ${await response.text()}`).toBe(true)
}

class Complaints {
  readonly #heard: string[] = []
  readonly #expected: RegExp[] = []

  expect(pattern: RegExp): void {
    this.#expected.push(pattern)
  }

  unexpected(): string[] {
    return this.#heard.filter((complaint) => !this.#expected.some((pattern) => pattern.test(complaint)))
  }

  async listen(context: BrowserContext): Promise<void> {
    context.on('console', (message) => {
      if (message.type() === 'error') this.#heard.push(`console: ${message.text()} (${message.location().url})`)
    })
    context.on('weberror', (error) =>
      this.#heard.push(
        `exception: ${error.error().stack || String(error.error()) || 'something that is no Error'} (${error.page()?.url()})`,
      ),
    )
    context.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? ''
      // The page went on to another address before the answer came.
      if (why !== 'net::ERR_ABORTED') this.#heard.push(`request: ${request.method()} ${request.url()} ${why}`)
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
