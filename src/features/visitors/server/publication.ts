import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { ne, sql } from 'drizzle-orm'
import { and, eq, or } from 'drizzle-orm/sql'
import type { Logger } from 'pino'
import type { Db } from '#server/db/connect.ts'
import { presence as table } from '#server/db/tables.ts'
import { listenerName } from '#server/live/notify.ts'
import type { Presence } from '#server/live/presence.ts'
import { type KeySource, open, seal, secretKey } from '#server/secrets/keys.ts'
import { transientContexts } from '#server/secrets/sealed-columns.ts'
import { localSightings, type ProcessSightings } from './sightings.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

// A process that has not published for this long is dead or cannot reach the database.
const isFresh = sql`${table.publishedAt} > now() - interval '15 seconds'`
const sealContext = transientContexts.visitors

export type Publisher = { db: Db; config: KeySource; presence: Presence }

/** Publishes this process's visitors for the other processes. The row is encrypted, so that no IP address is readable in the database. */
export async function publish({ db, config, presence }: Publisher): Promise<void> {
  const sightings = await localSightings(db, presence)
  const bytes = await deflate(JSON.stringify(sightings))
  const process = presence.processId
  const row = {
    visitors: seal(secretKey(config), bytes.toString('base64'), sealContext(process)),
    publishedAt: sql`now()`,
  }
  await db
    .insert(table)
    .values({ process, ...row })
    .onConflictDoUpdate({ target: table.process, set: row })
}

/** Deletes the row of this process and the stale rows of dead processes. */
export async function unpublish({ db, presence }: Pick<Publisher, 'db' | 'presence'>): Promise<void> {
  await db.delete(table).where(or(eq(table.process, presence.processId), sql`not (${isFresh})`))
}

/** Returns the recently published visitors of the other processes, with ages relative to now, and the number of other processes. */
export async function readOthers({
  db,
  config,
  presence,
  log,
}: Publisher & { log: Pick<Logger, 'warn'> }): Promise<{ others: ProcessSightings[]; expected: number }> {
  const [rows, listeners] = await Promise.all([
    db
      .select({
        process: table.process,
        visitors: table.visitors,
        ageMs: sql<number>`extract(epoch from now() - ${table.publishedAt})::float8 * 1000`,
      })
      .from(table)
      .where(and(ne(table.process, presence.processId), isFresh)),
    db.execute<{ count: number }>(
      sql`select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = ${listenerName}`,
    ),
  ])
  const key = rows.length > 0 ? secretKey(config) : undefined
  const others = await Promise.all(
    rows.map(async ({ process, visitors, ageMs }) => {
      try {
        const bytes = await inflate(Buffer.from(open(key!, visitors, sealContext(process)), 'base64'))
        return addAge(JSON.parse(bytes.toString()) as ProcessSightings, ageMs)
      } catch (error) {
        log.warn(
          { process, message: (error as Error).message },
          'the visitors of another process cannot be read: do all processes have the same SECRET_KEY?',
        )
        return { sightings: [], departures: [] }
      }
    }),
  )
  return { others, expected: (listeners.rows[0]?.count ?? 1) - 1 }
}

const addAge = ({ sightings, departures }: ProcessSightings, byMs: number): ProcessSightings => ({
  sightings: sightings.map((sighting) => ({ ...sighting, ageMs: sighting.ageMs + byMs })),
  departures: departures.map((departure) => ({ ...departure, ageMs: departure.ageMs + byMs })),
})
