import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { refreshAllInsight } from '#features/insight/server/refresh-insight.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open.ts'
import { seedSample } from '#server/db/seed.ts'
import { addUpCounts } from '#server/lists/list-count.ts'
import { seedBig, seedLines, seedPaidTime, seedTickets, type size } from './seed-big.ts'

/** Fills the database in `dataDir` with `wanted` rows of each kind. Adds only what is missing there. */
export async function fill(dataDir: string, wanted: typeof size): Promise<void> {
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, 0o711)
  const database = await openDatabase(
    readConfig({ DATA_DIR: dataDir }),
    pino({ level: 'warn' }),
    join(import.meta.dirname, '../migrations'),
  )
  try {
    const { rows: found } = await database.pool.query<{ count: string }>(
      "select count(*) from trial_requests where message like 'I would like to see the sports%'",
    )
    const { rows: jobs } = await database.pool.query('select 1 from line_jobs limit 1')
    const { rows: paidTime } = await database.pool.query('select 1 from segments limit 1')
    const isSeeded = Number(found[0]?.count) >= wanted.trials
    const { rows: inquiries } = await database.pool.query(
      "select 1 from inquiries where message like 'How do I set up device%' limit 1",
    )
    if (isSeeded && jobs.length > 0 && paidTime.length > 0 && inquiries.length > 0) return await addUp(database)
    console.log(`Filling ${dataDir}, once …`)
    if (!isSeeded) await seedSample(database.db)
    const client = await database.pool.connect()
    if (!isSeeded) await seedBig(client, wanted, (text) => console.log(`  ${text}`))
    else if (jobs.length === 0) await seedLines(client, wanted)
    if (paidTime.length === 0) await seedPaidTime(client)
    if (inquiries.length === 0 && wanted.inquiries > 0) await seedTickets(client, wanted)
    client.release(true)
    await addUp(database)
  } finally {
    await database.close()
  }
}

/**
 * Adds millions of changed rows to the counters of the lists, without a statement timeout, and computes the business figures. Then vacuums the dead rows, which
 * would slow down every count.
 */
async function addUp({ db, pool }: Awaited<ReturnType<typeof openDatabase>>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`)
    await addUpCounts(tx)
  })
  await refreshAllInsight(db)
  await pool.query('vacuum (analyze) row_changes, insight_marks, insight_events, insight_days, insight_months')
}
