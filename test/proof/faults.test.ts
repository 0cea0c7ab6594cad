import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Database } from '#server/db/connect.ts'
import { activations, invoices, mails, referralClaims, users } from '#server/db/tables.ts'
import { type Embedded, startEmbedded } from '#server/postgres/embedded.ts'
import { type HttpUser, loggedInUser } from '../harness/http-user.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { dataFolder, type RunningApp, runApp } from '../harness/running-app.ts'
import { roundCount } from '../harness/scale.ts'
import { silentLog } from '../harness/silent-log.ts'
import { emptyJournal, expectJournalKept, runTrades, threeMonthPlanId } from '../harness/trading.ts'

const admin = { username: 'admin', password: 'faults-only-here' }
const env = {
  ADMIN_USERNAME: admin.username,
  ADMIN_PASSWORD: admin.password,
  RATE_LIMIT_FACTOR: '1000000',
  LOG_LEVEL: 'warn',
  SEED: 'sample',
}
const data = dataFolder()
const kills = roundCount('KILLS', { short: 3, full: 20 })
const confirmations = roundCount('CONFIRMATIONS', { short: 1, full: 5 })
const start = () => runApp({ dataDir: data.path, env })

let app: RunningApp
let embedded: Embedded
let database: Database
let planId: number
beforeAll(async () => {
  app = await start()
  // The test also attaches to the embedded server, so that it can read the database after the apps are killed.
  embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
  database = connect(embedded.connection, { log: silentLog })
  planId = await threeMonthPlanId(app.url)
}, 60_000)
afterAll(async () => {
  await app.stop()
  await database.close()
  await embedded.stop()
  data.remove()
}, 60_000)

async function submitted(buyer: HttpUser, url = app.url): Promise<string> {
  const created = await buyer.send(url, 'POST', '/api/create-invoice', { planId, email: `${buyer.name}@example.org` })
  const invoiceNumber = String(created.body.invoiceNumber)
  const answer = await buyer.send(url, 'POST', '/api/submit-payment', {
    planId,
    paymentMethod: 'venmo',
    paymentNote: `SAUCE: ${invoiceNumber}`,
    invoiceNumber,
  })
  expect(answer).toMatchObject({ status: 200 })
  return invoiceNumber
}
const monthOf = (instant: string) => new Date(instant).getUTCFullYear() * 12 + new Date(instant).getUTCMonth()
const invoiceOf = async (invoiceNumber: string) =>
  (await database.db.select().from(invoices).where(eq(invoices.invoiceNumber, invoiceNumber)))[0]!

describe('two app processes on one database', () => {
  test('fifty concurrent confirmations sent to both have exactly one effect', async () => {
    const second = await start()
    try {
      const cashier = await loggedInUser(app.url, admin)
      const referrer = await loggedInUser(app.url)
      const { body } = await referrer.send(app.url, 'GET', '/api/referrals/my-code')
      for (let round = 0; round < confirmations; round++) {
        const buyer = await loggedInUser(second.url, undefined, String(body.referralCode))
        const { id, userId } = await invoiceOf(await submitted(buyer))
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            cashier.sendWithRetry(i % 2 ? app.url : second.url, 'PUT', `/api/admin/invoices/${id}`, { status: 'paid' }),
          ),
        )
        expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.paidAt}`)).size).toBe(1)
        expect(await database.db.select().from(activations).where(eq(activations.userId, userId))).toHaveLength(1)
        expect(await database.db.$count(referralClaims, eq(referralClaims.rewardedInvoiceId, id))).toBe(1)
        expect(
          await database.db
            .select()
            .from(mails)
            .where(sql`${mails.userId} = ${userId} AND ${mails.template} = 'payment_confirmed'`),
        ).toHaveLength(1)
      }
      await expectInvariants(database.db)
    } finally {
      await second.stop()
    }
  }, 60_000)
})

describe('kill -9 under load', () => {
  const recovered = async () => {
    const deadline = Date.now() + 15_000
    while (Date.now() < deadline) {
      const ready = await fetch(`${app.url}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined)
      if (ready?.status === 200) return
      await sleep(25)
    }
    throw new Error(`The app did not recover:\n${app.output()}`)
  }

  test(
    'of the app, its database or both, repeatedly: no acknowledged write is lost and every payment has one effect',
    async () => {
      const journal = emptyJournal()
      const cashier = await loggedInUser(app.url, admin)
      const buyers = await Promise.all(Array.from({ length: 6 }, () => loggedInUser(app.url)))
      for (let cycle = 0; cycle < kills; cycle++) {
        let over = false
        const trading = runTrades({ url: () => app.url, planId, buyers, cashier, journal, isOver: () => over })
        // Kills at a random time after the next payment, on a slow machine too.
        const before = journal.paid.size
        for (let waited = 0; journal.paid.size === before && waited < 5_000; waited += 20) await sleep(20)
        await sleep(Math.random() * 250)
        const [killsApp, killsDatabase] = [cycle % 3 !== 1, cycle % 3 !== 0]
        const postmaster = Number(readFileSync(join(data.path, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0])
        if (killsDatabase) process.kill(postmaster, 'SIGKILL')
        if (killsApp) process.kill(app.pid, 'SIGKILL')
        await sleep(50)
        over = true
        await trading
        if (killsApp) app = await start()
        await recovered()
      }

      expect(journal.paid.size).toBeGreaterThanOrEqual(kills)
      await expectJournalKept(database.db, journal)

      // The months add up only if each paid invoice counted once, including invoices whose confirmation got no response.
      const sold = await database.db.execute<{ user_id: number; months: number; covered: boolean }>(sql`
      SELECT u.id AS user_id, count(*)::int * 3 AS months, u.subscription_end_date = (SELECT max((a.after ->> 'endDate')::timestamptz) FROM activations a WHERE a.user_id = u.id) AS covered
      FROM users u JOIN invoices i ON i.user_id = u.id AND i.status = 'paid' GROUP BY u.id`)
      for (const { user_id: id, months, covered } of sold.rows) {
        const [user] = await database.db.select().from(users).where(eq(users.id, id))
        const between = monthOf(user!.subscriptionEndDate!) - monthOf(user!.subscriptionStartDate!)
        expect({ id, covered, months: between }).toEqual({ id, covered: true, months })
      }
    },
    60_000 + kills * 6_000,
  )
})
