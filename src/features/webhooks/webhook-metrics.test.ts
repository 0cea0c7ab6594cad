import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Metrics } from '#server/observability/metrics.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { addWebhookMetrics } from './server/webhook-metrics.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildApp()
})
afterAll(() => app.close())

test('the metrics contain the number of webhooks by state, and the number and age of waiting notices', async () => {
  const metrics = new Metrics()
  addWebhookMetrics(metrics, app.db)
  expect(await metrics.text()).toContain('sauce_webhooks{state="on"} 0\n')
  await app.db.execute(sql`
    insert into webhooks (id, type, name, sealed, kinds, paused_at, pause_reason, failing_since) values
      ('00000000-0000-4000-8000-000000000001', 'signed', 'Fine', 'x', '{payment}', null, null, null),
      ('00000000-0000-4000-8000-000000000002', 'signed', 'Failing', 'x', '{payment}', null, null, now()),
      ('00000000-0000-4000-8000-000000000003', 'discord', 'Paused', 'x', '{payment}', now(), 'owner', null)`)
  await app.db.execute(sql`
    insert into webhook_deliveries (webhook_id, kind, status, created_at) values
      ('00000000-0000-4000-8000-000000000002', 'test', 'queued', now() - interval '90 seconds'),
      ('00000000-0000-4000-8000-000000000002', 'test', 'queued', now()),
      ('00000000-0000-4000-8000-000000000001', 'test', 'sent', now() - interval '1 day')`)
  const text = await metrics.text()
  for (const line of ['{state="on"} 1', '{state="failing"} 1', '{state="paused"} 1'])
    expect(text).toContain(`sauce_webhooks${line}\n`)
  expect(text).toContain('sauce_webhook_notices_waiting 2\n')
  const oldest = Number(/^sauce_webhook_notices_oldest_seconds (\S+)/m.exec(text)?.[1])
  expect(oldest).toBeGreaterThan(89)
  expect(oldest).toBeLessThan(120)
})
