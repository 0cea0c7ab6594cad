import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { mails } from '#server/db/tables.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { loggedInUser } from '../../harness/http-user.ts'
import { header } from '../../harness/mail-parts.ts'
import { proxyTo } from '../../harness/proxy.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { startSink } from '../../harness/smtp-sink.ts'
import { urlOf } from '../../harness/test-server.ts'

/** How often the app is killed; MAIL_CRASHES sets it. */
const cycles = roundCount('MAIL_CRASHES', { full: 10 })

test(
  `kill -9 before and during mail delivery, ${cycles} times: each email arrives with one Message-ID and is logged as sent`,
  async () => {
    const [database, sink, data] = [await createTestDatabase(), await startSink(), dataFolder()]
    // The app needs a database URL, but the test server may listen only on a Unix socket: a TCP proxy connects them.
    const proxy = await proxyTo(database.address)
    const env = {
      DATABASE_URL: urlOf(proxy.address),
      ADMIN_PASSWORD: 'crash-only-here',
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'warn',
      SMTP_URL: sink.url,
      MAIL_FROM: 'tv@saucetv.example',
    }
    const start = () => runApp({ dataDir: data.path, env })
    const rows = () => database.db.select().from(mails)
    const registered: string[] = []
    let app: RunningApp | undefined
    try {
      for (let cycle = 0; cycle < cycles; cycle++) {
        app = await start()
        const { pid, url } = app
        const kill = () => void process.kill(pid, 'SIGKILL')
        const arrived = sink.mails.length
        // In turn: before the server accepts the email, just after it does, right after the commit, and at a random time.
        const moment = cycle % 4
        if (moment === 0) sink.onMail = kill
        if (moment === 1) sink.onMail = () => void setTimeout(kill, 1)
        for (let count = 0; count < 3; count++) {
          const user = await loggedInUser(url).catch(() => undefined)
          if (user) registered.push(`${user.name}@example.org`)
        }
        if (moment === 3) await sleep(Math.random() * 60)
        if (moment >= 2) kill()
        else await expect.poll(() => sink.mails.length, { timeout: 10_000 }).toBeGreaterThan(arrived)
        sink.onMail = undefined
        await app.stop()
        // Makes the emails due now instead of waiting until the dead process's claim expires.
        await database.db.update(mails).set({ dueAt: sql`now()` })
      }
      app = await start()
      await expect
        .poll(async () => (await rows()).filter((row) => row.status !== 'sent'), { timeout: 20_000 })
        .toEqual([])
      const expected = new Map((await rows()).map((row) => [row.recipient, row]))
      expect(registered.filter((address) => !expected.has(address))).toEqual([])
      const received = Map.groupBy(sink.mails, (mail) => mail.to[0])
      expect([...expected.keys()].filter((address) => !received.has(address))).toEqual([])
      for (const [address, arrivals] of received) {
        expect(new Set(arrivals.map((mail) => header(mail, 'message-id'))).size, `Message-IDs of ${address}`).toBe(1)
        expect(arrivals.length).toBeLessThanOrEqual(expected.get(address!)!.attempts)
      }
      expect(registered.length).toBeGreaterThan(cycles)
    } catch (error) {
      throw new Error(`${(error as Error).message}\nOutput of the app:\n${app?.output()}`, { cause: error })
    } finally {
      await app?.stop()
      await proxy.close()
      await sink.close()
      data.remove()
      await database.close()
    }
  },
  60_000 + cycles * 15_000,
)
