import { sql } from 'drizzle-orm'
import { guideSources, plays } from '#server/db/tables.ts'
import type { Metrics } from '#server/observability/metrics.ts'
import { openingsOf } from './plays/count-openings.ts'
import { isRunning } from './plays/play-state.ts'
import type { RelayContext } from './relay/play.ts'
import { relayOf } from './relay/relay.ts'

/** Adds the metrics for streams and for the age of the program guide. The metrics for running plays and the guide cover all processes. */
export function watchStreams(metrics: Metrics, context: RelayContext): void {
  const { db, config } = context
  const opened = metrics.counter(
    'sauce_plays_opened_total',
    'Attempts to open a play, by kind and result',
    ['kind', 'result'],
    () => {
      opened.reset()
      for (const { kind, result, count } of openingsOf(config).all.values()) opened.inc({ kind, result }, count)
    },
  )
  const waited = metrics.counter(
    'sauce_plays_opened_seconds_total',
    'Total seconds until the streams of plays with the result played were open',
    [],
    () => {
      waited.reset()
      waited.inc(openingsOf(config).seconds)
    },
  )
  metrics.gauge(
    'sauce_stream_places_left',
    'How many more stream requests this process can serve, and how many more streams it can cut into segments, at the same time',
    ['of'],
    (gauge) => {
      const { traffic, packaged } = relayOf(context)
      gauge.set({ of: 'requests' }, config.streamMost - traffic.running)
      gauge.set({ of: 'cut' }, packaged.slotsLeft)
    },
  )
  metrics.gauge('sauce_plays', 'Running plays, by kind', ['kind'], (gauge) =>
    db
      .execute<{ live: number; recordings: number }>(
        sql`select count(*) filter (where ${plays.startsFrom} is null)::int as live, count(${plays.startsFrom})::int as recordings
          from ${plays} where ${isRunning}`,
      )
      .then(({ rows: [now] }) => {
        gauge.set({ kind: 'live' }, now!.live)
        gauge.set({ kind: 'recording' }, now!.recordings)
      })
      .catch(() => undefined),
  )
  metrics.gauge(
    'sauce_guide_age_seconds',
    'Seconds since the last reading of the guide source that was read longest ago; 0 without a source',
    [],
    (gauge) =>
      db
        .execute<{ seconds: number }>(
          sql`select coalesce(extract(epoch from now() - min(coalesce(read_at, created_at))), 0)::float8 as seconds
            from ${guideSources} where enabled and sealed is not null`,
        )
        .then(({ rows }) => gauge.set(rows[0]!.seconds))
        .catch(() => undefined),
  )
}
