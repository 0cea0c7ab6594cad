import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { defaultProvisioning } from '#features/provisioning/rules.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { auditLog, lineJobs, lines, mails } from '#server/db/tables.ts'
import { allJobs } from '../../../src/all-jobs.ts'
import { type Clock, withClock } from '../../harness/clock.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'
import { panelKey } from '../../harness/fake-lines.ts'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { type HttpUser, loggedInUser } from '../../harness/http-user.ts'
import { proxyTo } from '../../harness/proxy.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'
import { startSink } from '../../harness/smtp-sink.ts'
import { urlOf } from '../../harness/test-server.ts'

const migrations = join(import.meta.dirname, '../../../migrations')
const key = randomBytes(32)
const admin = { username: 'admin', password: 'copies-only-here' }
const hour = 3_600_000
const within = { timeout: 30_000, interval: 200 }

/** Runs all due jobs on a database and wakes the workers of its apps, twice. */
async function passTime({ db }: Pick<Clock, 'db'>): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (const job of allJobs(db)) await job.run()
    for (const to of ['outbox', 'lines', 'logos'])
      await db.execute(sql`select pg_notify('sauce', ${JSON.stringify({ to })})`)
    // Longer than the interval between two runs of a worker.
    await sleep(1_000)
  }
}

test('a restored copy calls no panel and sends no email until it is declared live', async () => {
  const [live, copy] = [await createTestDatabase(), await createTestDatabase({ empty: true })]
  const [panel, sink, copySink, folder] = [await startFakePanel(), await startSink(), await startSink(), dataFolder()]
  const apps: RunningApp[] = []
  const clocks: Clock[] = []
  onTestFinished(async () => {
    for (const app of apps) await app.stop()
    for (const clock of clocks) await clock.close()
    await Promise.all([live.close(), copy.close(), panel.close(), sink.close(), copySink.close()])
    folder.remove()
  })
  const start = async (database: TestDatabase, mailServer: string) => {
    const proxy = await proxyTo(database.address)
    onTestFinished(() => proxy.close())
    const app = await runApp({
      dataDir: folder.path,
      env: {
        DATABASE_URL: urlOf(proxy.address),
        SECRET_KEY: key.toString('base64'),
        ADMIN_PASSWORD: admin.password,
        RATE_LIMIT_FACTOR: '1000',
        LOG_LEVEL: 'warn',
        PANEL_URL: panel.url,
        PANEL_ALLOW_PRIVATE: 'true',
        SMTP_URL: mailServer,
        MAIL_FROM: 'tv@saucetv.example',
      },
    })
    apps.push(app)
    return app
  }
  const grant = async (cashier: HttpUser, url: string, userId: number, planId: number, end: number) =>
    expect(
      await cashier.send(url, 'PUT', `/api/admin/users/${userId}/subscription`, {
        planId,
        status: 'active',
        endDate: new Date(end).toISOString().slice(0, 10),
      }),
    ).toMatchObject({ status: 200 })

  let app = await start(live, sink.url)
  const plans = (await (await fetch(`${app.url}/api/plans`)).json()) as { id: number }[]
  const planId = plans[0]!.id
  const packages = Object.fromEntries(plans.map(({ id }) => [String(id), '7']))
  const value = {
    ...defaultProvisioning,
    kind: 'xui-admin',
    address: panel.lines.addressOf('xui-admin'),
    graceDays: 0,
    packages,
  }
  const [buyer, cashier] = [await loggedInUser(app.url), await loggedInUser(app.url, admin)]
  const { version } = (await cashier.send(app.url, 'GET', '/api/admin/provisioning')).body
  expect(
    await cashier.send(app.url, 'PUT', '/api/admin/provisioning', { version, value: { ...value, key: panelKey } }),
  ).toMatchObject({ status: 200 })
  const userId = Number((await buyer.send(app.url, 'GET', '/api/user')).body.id)
  await grant(cashier, app.url, userId, planId, Date.now() + 48 * hour)
  await expect.poll(async () => panel.lines.rows.size, within).toBe(1)
  await expect.poll(() => live.db.$count(lineJobs, sql`${lineJobs.state} <> 'done'`), within).toBe(0)
  const row = [...panel.lines.rows.values()][0]!

  const endsAt = Date.parse(String((await buyer.send(app.url, 'GET', '/api/user')).body.subscriptionEndDate))
  const file = join(folder.path, 'before.gz')
  await writeBackup({ pool: live.pool, key, file })
  const [, backedUpAt] =
    /^sauce_last_backup_timestamp_seconds (\S+)$/m.exec(await (await fetch(`${app.url}/metrics`)).text()) ?? []
  expect(Math.abs(Number(backedUpAt) - Date.now() / 1_000)).toBeLessThan(60)
  await grant(cashier, app.url, userId, planId, Date.now() + 900 * hour)
  await expect.poll(async () => Number(row.exp_date), within).toBeGreaterThan(Date.now() / 1000 + 800 * 3_600)
  await expect.poll(() => live.db.$count(lineJobs, sql`${lineJobs.state} <> 'done'`), within).toBe(0)
  await app.stop()

  await restoreBackup({
    pool: copy.pool,
    config: { secretKey: key.toString('base64'), otherKeys: [], dataDir: '/nowhere' },
    file,
    migrations,
  })
  app = await start(live, sink.url)
  const rehearsal = await start(copy, copySink.url)
  for (const database of [live, copy]) {
    const clock = await withClock(database, database.address, 'UTC')
    clocks.push(clock)
    await clock.set(new Date(endsAt + hour / 2).toISOString())
    // Only new connections use the changed clock.
    await clock.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  }
  await passTime(clocks[0]!)
  const [calls, mailsBefore] = [panel.calls.length, sink.mails.length]
  await passTime(clocks[1]!)
  expect(await copy.db.$count(mails, sql`template = 'subscription_expired' and status = 'queued'`)).toBe(1)
  expect(await copy.db.$count(lines, sql`not wanted_enabled`)).toBe(1)
  expect([panel.calls.length - calls, copySink.connections, sink.mails.length - mailsBefore]).toEqual([0, 0, 0])
  expect(row.enabled).toBe('1')

  expect(await (await fetch(`${rehearsal.url}/readyz`)).json()).toEqual({ ok: true, held: true })
  expect(await (await fetch(`${app.url}/readyz`)).json()).toEqual({ ok: true })
  expect(await (await fetch(`${rehearsal.url}/metrics`)).text()).toContain('sauce_installation_held 1\n')
  expect(await (await fetch(`${app.url}/metrics`)).text()).toContain('sauce_installation_held 0\n')
  const visitor = await loggedInUser(rehearsal.url)
  expect(
    await visitor.send(rehearsal.url, 'POST', '/api/iptv/validate', { iptvUsername: 'line', iptvPassword: 'pw' }),
  ).toEqual({
    status: 503,
    body: { code: 'panel_held', message: expect.stringMatching(/^This copy of the site is not in service/) },
  })
  const boss = await loggedInUser(rehearsal.url, admin)
  expect(await boss.send(rehearsal.url, 'POST', '/api/admin/provisioning/test', { ...value, key: '' })).toMatchObject({
    body: { ok: false, message: expect.stringMatching(/not live/) },
  })
  expect((await boss.send(rehearsal.url, 'GET', '/api/admin/installation')).body).toMatchObject({
    held: 'restored',
    waiting: { lineJobs: 1 },
  })
  expect([panel.calls.length - calls, copySink.connections]).toEqual([0, 0])

  // The live installation stops, and the copy replaces it.
  await app.stop()
  expect((await boss.send(rehearsal.url, 'POST', '/api/admin/installation/go-live', {})).body).toMatchObject({
    held: null,
  })
  await expect.poll(() => row.enabled, within).toBe('0')
  await expect.poll(() => copySink.mails.length, within).toBeGreaterThan(0)
  expect(await (await fetch(`${rehearsal.url}/readyz`)).json()).toEqual({ ok: true })
  const entries = await copy.db.select().from(auditLog).where(sql`action = 'installation.go_live'`)
  expect(entries).toMatchObject([{ actorId: expect.any(Number), before: { held: 'restored' } }])
}, 180_000)
