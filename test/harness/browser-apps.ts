import { expect } from '@playwright/test'
import { type FakePanel, startFakePanel } from './fake-panel.ts'
import { dataFolder, type RunningApp, runApp } from './running-app.ts'

export const adminName = 'admin'
export const adminPassword = 'browser-tests-only'

export type Environment = Record<string, string>
/** A running app, its data folder and the IPTV panel that it is configured with. */
export type Installation = { app: RunningApp; data: string; panel: FakePanel; stop: () => Promise<void> }

/**
 * The installations of a worker: the one without further environment variables, which runs until the worker ends, and
 * the one that the current spec requests with `test.use({ environment })`.
 */
export class Installations {
  #shared: Promise<Installation> | undefined
  #own: { key: string; installation: Promise<Installation> } | undefined
  readonly #stopping: Promise<void>[] = []
  readonly #servers = new Map<unknown, Promise<{ close: () => unknown }>>()

  /** Returns the installation with these environment variables. Stops the installation of the previous spec if its variables differ. */
  async with(environment: Environment): Promise<Installation> {
    const key = JSON.stringify(environment)
    if (key === '{}') {
      this.#shared ??= install(environment)
      return this.#shared
    }
    if (this.#own?.key !== key) {
      // The new installation starts while the previous one stops.
      this.#stopping.push(this.#stopOwn())
      this.#own = { key, installation: install(environment) }
    }
    return this.#own.installation
  }

  /**
   * Returns the server that `start` starts: the same one until the worker ends. A worker fixture would do the same, but tests with other
   * worker fixtures need another worker, with a browser of its own.
   */
  server<Server extends { close: () => unknown }>(start: () => Promise<Server>): Promise<Server> {
    const running = (this.#servers.get(start) as Promise<Server> | undefined) ?? start()
    this.#servers.set(start, running)
    return running
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#stopping, this.#stopOwn(), stopped(this.#shared)])
    for (const server of this.#servers.values()) await (await server).close()
  }

  async #stopOwn(): Promise<void> {
    const own = this.#own
    this.#own = undefined
    await stopped(own?.installation)
  }
}

/** Stops an installation. Ignores one that did not start: that has already failed its test. */
async function stopped(installation: Promise<Installation> | undefined): Promise<void> {
  const running = await installation?.catch(() => undefined)
  await running?.stop()
}

async function install(environment: Environment): Promise<Installation> {
  const panel = await startFakePanel()
  const data = dataFolder()
  const app = await runApp({
    dataDir: data.path,
    env: {
      ADMIN_USERNAME: adminName,
      ADMIN_PASSWORD: adminPassword,
      RATE_LIMIT_FACTOR: '100000',
      SEED: 'sample',
      PANEL_URL: panel.url,
      PANEL_ALLOW_PRIVATE: 'true',
      SMTP_ALLOW_PRIVATE: 'true',
      MAILBOX_ALLOW_PRIVATE: 'true',
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      ...environment,
    },
  })
  // Payments need accounts to be paid into; tests of a fresh installation leave them unset.
  if (environment.HANDLES !== 'unset') await setHandles(app.url)
  const stop = async () => {
    await app.stop()
    data.remove()
    await panel.close()
  }
  return { app, data: data.path, panel, stop }
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
