import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { defaultProvisioning } from '#features/provisioning/rules.ts'
import { writeSecret } from '#features/settings/server/secrets.ts'
import { seedSample } from '#server/db/seed.ts'
import { invoices, lineJobs, linePanel, lines, plans, settings, users } from '#server/db/tables.ts'
import { testConfig } from '../harness/app.ts'
import { createTestDatabase } from '../harness/database.ts'
import { panelKey } from '../harness/fake-lines.ts'
import { apiUser } from '../harness/fake-lines-types.ts'
import { startFakePanel } from '../harness/fake-panel.ts'
import { type HttpUser, loggedInUser } from '../harness/http-user.ts'
import { expectInvariants } from '../harness/invariants.ts'
import type { Mode } from '../harness/panel-modes.ts'
import { proxyTo } from '../harness/proxy.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { roundCount, sampled } from '../harness/scale.ts'
import { urlOf } from '../harness/test-server.ts'

/** How often the app is killed; LINE_CRASHES sets it. */
const cycles = roundCount('LINE_CRASHES', { short: 2, full: 8 })
const admin = { username: 'admin', password: 'crash-only-here' }

/** For each panel type: its actions before, for and after creating a line, and with which of the eight moments the kills begin. */
const panelTypes = [
  {
    kind: 'xui-admin',
    listAction: 'get_lines',
    createAction: 'create_line',
    readAction: 'get_line',
    skip: 0,
    cycles,
    // With fewer than eight cycles: first the moments before and after the panel creates the line, when a second line could be created.
    from: cycles < 8 ? 3 : 0,
    fitsAll: true,
  },
  {
    kind: 'onestream',
    listAction: 'lines',
    createAction: 'line/create',
    readAction: 'lines',
    skip: 1,
    cycles: Math.ceil(cycles / 2),
    from: 2,
    fitsAll: false,
  },
] as const

test.each(sampled(panelTypes, 2))(
  'kill -9 at each step of provisioning on $kind ($cycles times): one line per customer, every paid invoice has a line or task',
  async ({ kind, listAction, createAction, readAction, skip, cycles, from, fitsAll }) => {
    const [database, fake, data] = [await createTestDatabase(), await startFakePanel(), dataFolder()]
    const proxy = await proxyTo(database.address)
    const secretKey = randomBytes(32).toString('base64')
    const env = {
      DATABASE_URL: urlOf(proxy.address),
      ADMIN_PASSWORD: admin.password,
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'trace',
      SECRET_KEY: secretKey,
      PANEL_URL: fake.url,
      PANEL_ALLOW_PRIVATE: 'true',
    }
    const { db } = database
    const outputs: string[] = []
    let app: RunningApp | undefined
    const start = async () => {
      app = await runApp({ dataDir: data.path, env })
      return app
    }
    const stop = async () => {
      await app?.stop()
      outputs.push(app?.output() ?? '')
    }
    /** Ends the dead process's lease and all back-offs. */
    const makeJobsDue = async () => {
      await db.update(linePanel).set({ heldUntil: sql`now()`, restUntil: sql`now()` })
      await db.update(lineJobs).set({ dueAt: sql`now()` })
    }
    try {
      await seedSample(db)
      const sold = await db.select().from(plans)
      // The only package has one month and two connections. On panels whose packages set these values, any other plan would become a task.
      const bought = fitsAll ? sold : sold.filter(({ months, connections }) => months === 1 && connections === 2)
      const packages = Object.fromEntries(sold.map(({ id }) => [String(id), '7']))
      await db.insert(settings).values({
        key: 'provisioning',
        value: { ...defaultProvisioning, kind, address: fake.lines.addressOf(kind), username: apiUser, packages },
      })
      await db.transaction((tx) =>
        writeSecret(tx, { ...testConfig, secretKey, otherKeys: [] }, 'provisioning-key', panelKey),
      )

      const open = () => db.select().from(lineJobs).where(sql`${lineJobs.task} is null and ${lineJobs.state} <> 'done'`)
      const settled = () =>
        expect
          .poll(
            async () => {
              await makeJobsDue()
              await db.execute(sql`select pg_notify('sauce', '{"to":"lines"}')`)
              return (await open()).length
            },
            { timeout: 30_000, interval: 300 },
          )
          .toBe(0)

      for (let cycle = 0; cycle < cycles; cycle++) {
        const { url: at, pid } = await start()
        // The work that the last kill interrupted is finished first, so that this kill hits this payment.
        await settled()
        fake.lines.calls.length = 0
        let isDead = false
        const kill = () => {
          if (!isDead) process.kill(pid, 'SIGKILL')
          isDead = true
        }
        const dying: Mode = (response) => {
          kill()
          response.destroy()
        }
        // In turn: during or just after the confirmation; while the panel is read; before or after the panel creates the line;
        // while it is read again; while the result is stored; and at a random time.
        const moment = (cycle + from) % 8
        if (moment === 2) fake.lines.fail(dying, { action: listAction, times: 1 })
        if (moment === 3) fake.lines.fail(dying, { action: createAction, times: 1 })
        if (moment === 4) fake.lines.fail(dying, { action: createAction, times: 1, acts: true })
        if (moment === 5) fake.lines.fail(dying, { action: readAction, times: 1, acts: true, skip })
        const buying = buy(at, bought[cycle % bought.length]!.id).catch(() => undefined)
        const confirm = await buying
        const confirming = confirm?.().catch(() => undefined)
        if (moment === 0) await sleep(Math.random() * 30)
        else await confirming
        if (moment === 6)
          await expect
            .poll(() => isDead || fake.lines.calls.some(({ action }) => action === createAction), {
              timeout: 5_000,
              interval: 1,
            })
            .toBe(true)
        if (moment === 7) await sleep(Math.random() * 150)
        if (moment >= 2 && moment <= 5)
          await expect
            .poll(() => isDead, { timeout: 5_000, interval: 5 })
            .toBe(true)
            .catch(() => undefined)
        kill()
        await confirming
        fake.lines.heal()
        await stop()
      }

      await start()
      await settled()
      await expectInvariants(db)

      const paid = await db
        .selectDistinct({ userId: invoices.userId })
        .from(invoices)
        .where(eq(invoices.status, 'paid'))
      const jobs = await db.select().from(lineJobs)
      const storedLines = await db.select().from(lines)
      const rows = [...fake.lines.rows.values()]
      expect(paid.length).toBeGreaterThan(cycles / 2)
      for (const { userId } of paid) {
        const line = storedLines.find((each) => each.userId === userId)
        const atPanel = rows.filter(({ username }) => username === line?.username)
        const task = jobs.find((job) => job.userId === userId && job.task !== null)
        expect({ userId, lines: atPanel.length, isSeen: atPanel.length === 1 || task !== undefined }).toEqual({
          userId,
          lines: atPanel.length,
          isSeen: true,
        })
        expect(atPanel.length).toBeLessThanOrEqual(1)
        if (!task) expect(line?.lineRef).not.toBeNull()
      }
      // A line without a customer would be a duplicate.
      expect(
        rows
          .map(({ username }) => username)
          .filter((username) => !storedLines.some((line) => line.username === username)),
      ).toEqual([])
      expect(new Set(rows.map(({ username }) => username)).size).toBe(rows.length)
      // Only a call whose outcome is unknown may need an administrator.
      expect(jobs.filter(({ task }) => task !== null).length).toBeLessThanOrEqual(Math.ceil(cycles / 4))

      await stop()
      const secrets = [panelKey, encodeURIComponent(panelKey), ...rows.map(({ password }) => password!)]
      const written = await databaseText(db)
      for (const secret of secrets)
        expect([outputs.some((output) => output.includes(secret)), written.includes(secret)]).toEqual([false, false])
      expect(await db.select({ id: users.id }).from(users).where(sql`${users.iptvSynced}`)).toHaveLength(
        storedLines.filter(({ lineRef }) => lineRef).length,
      )
    } catch (error) {
      throw new Error(`${(error as Error).message}\nOutput of the app:\n${app?.output()}`, { cause: error })
    } finally {
      await app?.stop()
      await proxy.close()
      await fake.close()
      data.remove()
      await database.close()
    }
  },
  60_000 + cycles * 20_000,
)

/** Creates a customer with a submitted payment; the returned function confirms it. */
async function buy(url: string, planId: number): Promise<() => Promise<unknown>> {
  const [buyer, cashier]: HttpUser[] = await Promise.all([loggedInUser(url), loggedInUser(url, admin)])
  const created = await buyer!.send(url, 'POST', '/api/create-invoice', { planId, email: `${buyer!.name}@example.org` })
  const invoiceNumber = String(created.body.invoiceNumber)
  await buyer!.send(url, 'POST', '/api/submit-payment', { planId, paymentMethod: 'creditcard', invoiceNumber })
  const { body } = await buyer!.send(url, 'GET', `/api/invoices/${invoiceNumber}`)
  const { id } = body.invoice as { id: number }
  return () => cashier!.send(url, 'PUT', `/api/admin/invoices/${id}`, { status: 'paid' })
}

/** Returns all rows of all tables as text, as a dump would contain them. */
async function databaseText(db: Parameters<typeof expectInvariants>[0]): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'jobs')`,
  )
  const all: string[] = []
  for (const { name } of rows) {
    const dumped = await db.execute<{ row: string }>(sql.raw(`select t::text as row from ${name} t`))
    all.push(...dumped.rows.map(({ row }) => row))
  }
  return all.join('\n')
}
