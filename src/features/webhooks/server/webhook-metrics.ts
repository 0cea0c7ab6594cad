import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import type { Metrics } from '#server/observability/metrics.ts'
import { batch } from '#server/overload/batch.ts'

type Waiting = { on: number; paused: number; failing: number; notices: number; oldest: number }

/** Adds the webhook metrics: the number of webhooks, and the number and age of the notices waiting to be delivered. They cover all processes. */
export function addWebhookMetrics(metrics: Metrics, db: Db): void {
  const now = (use: (waiting: Waiting) => void) =>
    waiting(db, 'now')
      .then((found) => use(found!))
      .catch(() => undefined)
  metrics.gauge('sauce_webhooks', 'Webhooks, by state', ['state'], (gauge) =>
    now(({ on, paused, failing }) => {
      for (const [state, count] of Object.entries({ on, paused, failing })) gauge.set({ state }, count)
    }),
  )
  metrics.gauge('sauce_webhook_notices_waiting', 'Notices waiting to be delivered to webhooks', [], (gauge) =>
    now(({ notices }) => gauge.set(notices)),
  )
  metrics.gauge('sauce_webhook_notices_oldest_seconds', 'Age of the oldest waiting notice', [], (gauge) =>
    now(({ oldest }) => gauge.set(oldest)),
  )
}

/** All gauges of a scrape share one query. */
const waiting = batch(async (db: Db, keys: 'now'[]) => new Map([[keys[0]!, await readWaiting(db)]]))
async function readWaiting(db: Db): Promise<Waiting> {
  const { rows } = await db.execute<Waiting>(sql`
    select count(*) filter (where paused_at is null and failing_since is null)::int as on, count(*) filter (where paused_at is not null)::int as paused,
      count(*) filter (where paused_at is null and failing_since is not null)::int as failing, coalesce(sum(queued.count), 0)::int as notices,
      coalesce(extract(epoch from now() - min(queued.since)), 0)::float8 as oldest
    from webhooks w cross join lateral (
      select count(*) as count, min(created_at) as since from webhook_deliveries d where d.webhook_id = w.id and d.status = 'queued') queued`)
  return rows[0]!
}
