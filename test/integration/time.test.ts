import { asc, eq, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jobs as billingJobs } from '#features/billing/server/jobs.ts'
import { jobs as subscriptionJobs } from '#features/subscriptions/server/jobs.ts'
import { jobs as trialJobs } from '#features/trials/server/jobs.ts'
import type { Db } from '#server/db/connect.ts'
import { auditLog, invoices, mails, trialRequests, users } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { type Clock, withClock } from '../harness/clock.ts'
import { createPlan, createUser } from '../harness/factories.ts'
import { expectInvariants } from '../harness/invariants.ts'

const hour = 3_600_000
const day = 24 * hour
const plus = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()

/** Runs all jobs of billing, subscriptions and trials once in each of `processes` concurrent loops. */
const runAllJobs = (db: Db, processes = 2) =>
  Promise.all(
    Array.from({ length: processes }, async () => {
      for (const job of [billingJobs, subscriptionJobs, trialJobs].flatMap((jobs) => jobs(db))) await job.run()
    }),
  )

// End times on a month's last day, on a leap day, and in the nights in which daylight saving time begins or ends.
const ends = [
  '2028-01-31T23:30:00.000Z',
  '2028-02-29T00:15:00.000Z',
  '2028-03-12T07:30:00.000Z',
  '2028-03-26T01:30:00.000Z',
  '2028-11-05T06:30:00.000Z',
]

describe.each(['UTC', 'America/New_York', 'Pacific/Chatham'])('in a database with the time zone %s', (zone) => {
  let app: TestApp
  let clock: Clock
  beforeAll(async () => {
    app = await buildApp()
    clock = await withClock(app.database, app.database.address, zone)
    await app.signInAdmin()
  })
  afterAll(async () => {
    await clock.close()
    await app.close()
  })

  test.each(ends)(
    'a subscription that ends at %s gets one renewal invoice, three reminders and one expiry at the right times',
    async (end) => {
      const plan = await createPlan(app.db)
      const user = await createUser(app.db, {
        planId: plan.id,
        subscriptionStatus: 'active',
        subscriptionStartDate: plus(end, -30 * day),
        subscriptionEndDate: end,
        credit: 500,
      })
      const events: string[] = []
      const advanceTo = async (moment: string) => {
        await clock.set(moment)
        await runAllJobs(clock.db)
        const sentMails = await app.db.select().from(mails).where(eq(mails.userId, user.id)).orderBy(asc(mails.id))
        for (const { template, data } of sentMails.slice(events.length))
          events.push(`${template} ${data.days ?? ''} ${Math.round((Date.parse(end) - Date.parse(moment)) / hour)}`)
      }
      for (const hours of [241, 240, 239, 169, 168, 167, 100, 73, 72, 71, 25, 24, 23, 1, 0, -1, -30])
        await advanceTo(plus(end, -hours * hour))
      expect(events).toEqual([
        'renewal_invoice  240',
        'subscription_expiring 7 168',
        'subscription_expiring 3 72',
        'subscription_expiring 1 24',
        'subscription_expired  0',
      ])

      const [ended] = await app.db.select().from(users).where(eq(users.id, user.id))
      expect(ended).toMatchObject({ subscriptionStatus: 'expired', subscriptionEndDate: end, planId: plan.id })
      const renewals = await app.db.select().from(invoices).where(eq(invoices.userId, user.id))
      expect(renewals).toMatchObject([{ renewsEnd: end, amount: plan.price - 500, kind: 'purchase' }])
      const rows = await app.db
        .select()
        .from(auditLog)
        .where(sql`${auditLog.action} = 'subscription.expire' and ${auditLog.targetId} = ${String(user.id)}`)
      expect(rows).toHaveLength(1)
      await expectInvariants(clock.db)
    },
  )

  test('after a downtime only the reminder that still applies is sent', async () => {
    const end = '2029-05-01T12:00:00.000Z'
    const user = await createUser(app.db, {
      planId: (await createPlan(app.db)).id,
      subscriptionStatus: 'active',
      subscriptionStartDate: plus(end, -30 * day),
      subscriptionEndDate: end,
    })
    await clock.set(plus(end, -20 * hour))
    await runAllJobs(clock.db)
    const sentMails = await app.db
      .select({ data: mails.data })
      .from(mails)
      .where(sql`${mails.userId} = ${user.id} and ${mails.template} = 'subscription_expiring'`)
    expect(sentMails).toMatchObject([{ data: { days: 1 } }])
  })

  test('a trial gets one reminder and ends once, at the right times', async () => {
    const end = '2029-07-01T00:00:00.000Z'
    const user = await createUser(app.db)
    const [trial] = await app.db
      .insert(trialRequests)
      .values({
        userId: user.id,
        message: 'Please let me try',
        device: 'TV',
        status: 'approved',
        trialUsername: 't',
        trialPassword: 'v1:x',
        trialServer: 's',
        expiryDate: end,
        responseDate: plus(end, -48 * hour),
      })
      .returning()
    const events: number[][] = []
    for (const hours of [13, 12, 11, 1, 0, -1]) {
      await clock.set(plus(end, -hours * hour))
      await runAllJobs(clock.db)
      const sentMails = await app.db
        .select()
        .from(mails)
        .where(like(mails.dedupeKey, `trial_ending:${trial!.id}:%`))
      const ended = await app.db
        .select()
        .from(auditLog)
        .where(sql`${auditLog.action} = 'trial.end' and ${auditLog.targetId} = ${String(trial!.id)}`)
      events.push([hours, sentMails.length, ended.length])
    }
    expect(events).toEqual([
      [13, 0, 0],
      [12, 1, 0],
      [11, 1, 0],
      [1, 1, 0],
      [0, 1, 1],
      [-1, 1, 1],
    ])
  })
})

describe('many subscriptions', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await buildApp()
  })
  afterAll(() => app.close())

  test('a thousand due expiries are each processed once by four concurrent processes', async () => {
    const plan = await createPlan(app.db)
    await app.db.execute(sql`
      INSERT INTO users (username, email, password_hash, referral_code, plan_id, subscription_status, subscription_start_date, subscription_end_date)
      SELECT 'due_' || n, 'due' || n || '@example.org', 'x', 'DUE' || lpad(n::text, 7, '0'), ${plan.id}::int, 'active', now() - interval '31 days', now() - interval '1 second' * n
      FROM generate_series(1, 1000) n`)
    await runAllJobs(app.db, 4)
    await runAllJobs(app.db, 2)
    const count = async (query: ReturnType<typeof sql>) =>
      Number((await app.db.execute<{ count: string }>(query)).rows[0]!.count)
    expect(await count(sql`SELECT count(*) FROM users WHERE subscription_status = 'expired'`)).toBe(1000)
    expect(await count(sql`SELECT count(*) FROM mails WHERE template = 'subscription_expired'`)).toBe(1000)
    expect(await count(sql`SELECT count(*) FROM audit_log WHERE action = 'subscription.expire'`)).toBe(1000)
  })

  test('customers with another open invoice and hidden plans get no renewal invoice', async () => {
    const end = plus(new Date().toISOString(), 2 * day)
    const sold = await createPlan(app.db)
    const gone = await createPlan(app.db, { hidden: true })
    const running = (planId: number) =>
      createUser(app.db, {
        planId,
        subscriptionStatus: 'active',
        subscriptionStartDate: plus(end, -28 * day),
        subscriptionEndDate: end,
      })
    const buying = await app.signIn((await running(sold.id)).username)
    await buying.client.post('/api/create-invoice', { planId: sold.id, email: 'a@example.org' })
    const without = await running(gone.id)
    await runAllJobs(app.db)
    const made = await app.db
      .select()
      .from(invoices)
      .where(sql`${invoices.renewsEnd} is not null and ${invoices.userId} in (${buying.user.id}, ${without.id})`)
    expect(made).toEqual([])
  })
})
