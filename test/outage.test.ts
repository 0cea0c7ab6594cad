import { expect, test } from 'vitest'
import type { Address } from '#server/db/connect.ts'
import { createTestDatabase } from './database.ts'
import { personAt } from './http-person.ts'
import { proxyTo } from './proxy.ts'
import { dataFolder, runApp } from './running-app.ts'

const urlOf = (address: Address): string =>
  typeof address === 'string' ? address : `postgres://${address.user}@${address.host}:${address.port}/${address.database}`

test('while its database server is gone or frozen the app says 503 at once, serves what it has ready, and recovers', async () => {
  const database = await createTestDatabase()
  const proxy = await proxyTo(database.address)
  const data = dataFolder()
  const app = await runApp({
    dataDir: data.path,
    env: { DATABASE_URL: urlOf(proxy.address), ADMIN_PASSWORD: 'outage-only-here', RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'warn' },
  })
  try {
    const customer = await personAt(app.url)
    for (const path of ['/api/plans', '/']) expect((await fetch(app.url + path)).status).toBe(200)
    const takeAway = [
      { away: proxy.close, back: proxy.listen },
      { away: proxy.freeze, back: proxy.thaw },
    ]
    for (const { away, back } of takeAway) {
      await away()
      const refused = await fetch(`${app.url}/readyz`, { signal: AbortSignal.timeout(5_000) })
      expect(refused.status).toBe(503)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
      expect(await refused.json()).toMatchObject({ code: 'unavailable' })
      expect((await customer.send(app.url, 'GET', '/api/invoices')).status).toBe(503)
      const page = await fetch(`${app.url}/invoices`, { headers: { cookie: 'sid=0123456789012345678901234567890123456789012' } })
      expect(page.status).toBe(503)
      expect(await page.text()).toContain('Something went wrong')
      for (const path of ['/healthz', '/api/plans', '/']) expect((await fetch(app.url + path)).status, path).toBe(200)

      await back()
      await expect.poll(async () => (await customer.send(app.url, 'GET', '/api/user')).status, { timeout: 10_000 }).toBe(200)
    }
  } catch (error) {
    throw new Error(`${(error as Error).message}\nThe app said:\n${app.said()}`, { cause: error })
  } finally {
    await app.stop()
    data.remove()
    await database.close()
  }
}, 60_000)
