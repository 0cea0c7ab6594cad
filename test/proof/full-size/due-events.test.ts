import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../harness/database.ts'
import { createPlan } from '../../harness/factories.ts'
import { expectInvariants } from '../../harness/invariants.ts'
import { header } from '../../harness/mail-parts.ts'
import { proxyTo } from '../../harness/proxy.ts'
import { dataFolder, type RunningApp, runApp } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { startSink } from '../../harness/smtp-sink.ts'
import { urlOf } from '../../harness/test-server.ts'

/** The number of subscriptions that end; DUE_EVENTS sets it. */
const due = roundCount('DUE_EVENTS', { full: 150 })

test(`two app processes with ${due} events due at once: each runs once, its mail arrives once, and both processes run some`, async () => {
  const [{ db, pool, address, close }, sink, data] = [await createTestDatabase(), await startSink(), dataFolder()]
  const proxy = await proxyTo(address)
  const env = {
    DATABASE_URL: urlOf(proxy.address),
    ADMIN_PASSWORD: 'due-only-here',
    LOG_LEVEL: 'warn',
    SEED: 'empty',
    SMTP_URL: sink.url,
    MAIL_FROM: 'tv@saucetv.example',
  }
  const count = async (query: ReturnType<typeof sql>) =>
    Number((await db.execute<{ count: string }>(query)).rows[0]!.count)
  const apps: RunningApp[] = []
  let enqueueing: NodeJS.Timeout | undefined
  try {
    for (let process = 0; process < 2; process++) apps.push(await runApp({ dataDir: data.path, env }))
    const plan = await createPlan(db)
    await db.execute(sql`
        INSERT INTO users (username, email, password_hash, referral_code, plan_id, subscription_status, subscription_start_date, subscription_end_date)
        SELECT 'due_' || n, 'due' || n || '@example.org', 'x', 'DUE' || lpad(n::text, 7, '0'), ${plan.id}::int, 'active', now() - interval '31 days', now() - interval '1 second' * n
        FROM generate_series(1, ${due}::int) n`)
    // Enqueues the job again and again until all events are processed.
    enqueueing = setInterval(
      () =>
        void pool
          .query(
            `INSERT INTO jobs.job (name, data) SELECT 'scheduled', '{"job":"expire-subscriptions"}' FROM generate_series(1, 4)`,
          )
          .catch(() => {}),
      200,
    )
    await expect
      .poll(() => count(sql`SELECT count(*) FROM users WHERE subscription_status = 'expired'`), {
        timeout: 90_000,
        interval: 200,
      })
      .toBe(due)
    const runs = async ({ url }: RunningApp) =>
      Number(
        /sauce_job_runs_total\{job="expire-subscriptions",result="done"\} (\d+)/.exec(
          await (await fetch(`${url}/metrics`)).text(),
        )?.[1] ?? 0,
      )
    for (const app of apps) await expect.poll(() => runs(app), { timeout: 30_000 }).toBeGreaterThan(0)
    clearInterval(enqueueing)

    await expect
      .poll(() => count(sql`SELECT count(*) FROM mails WHERE status <> 'sent'`), { timeout: 120_000, interval: 500 })
      .toBe(0)
    expect(await count(sql`SELECT count(*) FROM audit_log WHERE action = 'subscription.expire'`)).toBe(due)
    expect(await count(sql`SELECT count(DISTINCT target_id) FROM audit_log WHERE action = 'subscription.expire'`)).toBe(
      due,
    )
    expect(await count(sql`SELECT count(*) FROM mails WHERE template = 'subscription_expired'`)).toBe(due)
    const arrived = sink.mails.map((mail) => header(mail, 'message-id'))
    expect([arrived.length, new Set(arrived).size]).toEqual([due, due])
    expect(new Set(sink.mails.map((mail) => mail.to[0])).size).toBe(due)
    await expectInvariants(db)
  } finally {
    clearInterval(enqueueing)
    for (const app of apps) await app.stop()
    await proxy.close()
    await sink.close()
    data.remove()
    await close()
  }
}, 300_000)
