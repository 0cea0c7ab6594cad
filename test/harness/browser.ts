import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Page,
  type Response,
  type TestInfo,
} from '@playwright/test'
import { adminName, adminPassword, type Environment, type Installation, Installations } from './browser-apps.ts'
import { PageErrors } from './browser-errors.ts'
import type { FakePanel } from './fake-panel.ts'
import type { RunningApp } from './running-app.ts'

/** Calls the API with cookies of its own: a page, or a client without a browser, which costs a hundredth of a page. */
export type Caller = { request: APIRequestContext }
export type Customer<On extends Caller = Page> = { page: On; username: string; email: string; password: string }
type NewCustomer = { username?: string; email?: string; fullName?: string; referralCode?: string }

type PageFixtures = {
  environment: Environment
  installation: Installation
  app: RunningApp
  /** The data folder of the app. */
  data: string
  /** The IPTV panel that the app is configured with. */
  panel: FakePanel
  /** Accepts an error that this test provokes on purpose, such as the console message about a refused login. */
  allowPageError: (pattern: RegExp) => void
  pageErrors: PageErrors
  /** A page with its own cookies: another user on another machine. */
  newPage: () => Promise<Page>
  /** A client without a browser: another user whose pages the test does not show. */
  newCaller: () => Promise<Caller>
  /** Registers a customer, who is then logged in on `on`, by default the test's page. */
  register: <On extends Caller = Page>(as?: NewCustomer, on?: On) => Promise<Customer<On>>
  /** Logs in the administrator, by default on a new page. */
  signInAdmin: <On extends Caller = Page>(on?: On) => Promise<On>
  /** The administrator, logged in, for decisions through the API. */
  adminCaller: Caller
}

/** A browser test of a running app. It fails on any page error: console error, exception, failed request, CSP violation. */
export const test = base.extend<PageFixtures, { installations: Installations }>({
  /** Further environment variables of the app. A spec that sets them gets an app of its own. */
  environment: [{}, { option: true }],
  installations: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const installations = new Installations()
      await use(installations)
      await installations.stop()
    },
    { scope: 'worker' },
  ],
  installation: [
    async ({ installations, environment }, use) => use(await installations.with(environment)),
    { timeout: 120_000 },
  ],
  app: ({ installation }, use) => use(installation.app),
  data: ({ installation }, use) => use(installation.data),
  panel: ({ installation }, use) => use(installation.panel),
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
  context: async ({ context, pageErrors, javaScriptEnabled }, use, info) => {
    // With JavaScript off the browser refuses to fetch scripts, which counts as a failed request.
    if (javaScriptEnabled === false) pageErrors.expect(/^request: GET \S+\.js csp$/)
    await pageErrors.listen(context)
    await use(context)
    await takePicturesOfFailure([context], info)
  },
  allowPageError: ({ pageErrors }, use) => use((pattern) => pageErrors.expect(pattern)),
  newPage: async ({ browser, baseURL, pageErrors, contextOptions, viewport }, use, info) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext({ ...contextOptions, viewport, baseURL })
      contexts.push(context)
      await pageErrors.listen(context)
      return waitForScriptsAfterNavigation(await context.newPage())
    })
    await takePicturesOfFailure(contexts, info)
    for (const context of contexts) await context.close()
  },
  newCaller: async ({ playwright, baseURL }, use) => {
    const callers: APIRequestContext[] = []
    await use(async () => {
      const request = await playwright.request.newContext({ baseURL })
      callers.push(request)
      return { request }
    })
    for (const caller of callers) await caller.dispose()
  },
  register: async ({ page, app }, use) => {
    let count = 0
    await use(async <On extends Caller = Page>(as: NewCustomer = {}, on = page as Caller as On) => {
      const username = as.username ?? `person-${Date.now().toString(36)}-${count++}`
      const customer = { username, email: as.email ?? `${username}@example.org`, password: 'correct-horse-battery' }
      await post(on, app.url, '/api/register', { ...as, ...customer })
      return { ...customer, page: on }
    })
  },
  signInAdmin: async ({ newPage, app }, use) => {
    await use(async <On extends Caller = Page>(on?: On) => {
      const caller = on ?? ((await newPage()) as Caller as On)
      await post(caller, app.url, '/api/login', { username: adminName, password: adminPassword })
      return caller
    })
  },
  adminCaller: async ({ newCaller, signInAdmin }, use) => use(await signInAdmin(await newCaller())),
})

export { expect }

/**
 * Adds pictures of all pages to the results if the test failed. The option `screenshot` of Playwright would also take them of each page of a test
 * that passes, when its context closes.
 */
async function takePicturesOfFailure(contexts: BrowserContext[], info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return
  for (const page of contexts.flatMap((context) => context.pages())) {
    const path = info.outputPath(`failed-${info.attachments.length + 1}.png`)
    const isTaken = await page.screenshot({ path, timeout: 5_000 }).then(
      () => true,
      () => false,
    )
    if (isTaken) info.attachments.push({ name: 'screenshot', path, contentType: 'image/png' })
  }
}

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

/** Sends a write with the caller's cookies, as the scripts of a page do. Fails on an error status. */
async function post({ request }: Caller, origin: string, path: string, data: object): Promise<void> {
  const response = await request.post(path, { data, headers: { origin } })
  expect(response.ok(), `${path} answered ${response.status()}: ${await response.text()}`).toBe(true)
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Fails on every violation that axe finds on the page. Portals of Base UI are outside of landmarks by design. */
export async function expectAccessible(page: Page): Promise<void> {
  // Only pages with frames need AxeBuilder, which takes 0.2 s longer because it reads all results, not only the violations.
  const hasFrames = page.frames().length > 1
  const violations = hasFrames
    ? (
        await new AxeBuilder({ page })
          .options({ resultTypes: ['violations'] })
          .withTags(standards)
          .analyze()
      ).violations
    : await findViolations(page)
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

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>
type Axe = { run: (options: Parameters<AxeBuilder['options']>[0]) => Promise<AxeResults> }
const resolveFromAxeBuilder = createRequire(import.meta.resolve('@axe-core/playwright')).resolve
const axeSource = readFileSync(resolveFromAxeBuilder('axe-core/axe.min.js'), 'utf8')

async function findViolations(page: Page): Promise<AxeResults['violations']> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  return page.evaluate(async (tags) => {
    const { axe } = window as unknown as { axe: Axe }
    return (await axe.run({ resultTypes: ['violations'], runOnly: { type: 'tag', values: tags } })).violations
  }, standards)
}

const isInPortal = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((inside) => Boolean(document.querySelector(inside)?.closest('[data-base-ui-portal]')), selector)
