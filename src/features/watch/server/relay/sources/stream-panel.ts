import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { streamPanels } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { LineToWatch } from '../../plays/line-to-watch.ts'

/** What a panel does with a line that has no connection left. */
export type OverLimit = (typeof streamPanels.$inferSelect)['overLimit']

/** Stores what was learned about the panel of a line. */
export async function storePanel(
  db: Db,
  { base }: Pick<LineToWatch, 'base'>,
  seen: Partial<Omit<typeof streamPanels.$inferInsert, 'overLimitAt'>> & { overLimitAt?: SQL },
): Promise<void> {
  await db
    .insert(streamPanels)
    .values({ ...seen, host: base.host })
    .onConflictDoUpdate({ target: streamPanels.host, set: seen })
}

/** Stores what the panel of a line does with a line that has no connection left. */
export const storeOverLimit = (db: Db, line: Pick<LineToWatch, 'base'>, overLimit: Exclude<OverLimit, 'unknown'>) =>
  storePanel(db, line, { overLimit, overLimitAt: sql`now()` })

/** SQL for what the panel with this host and port does with such a line; `unknown` if this was not observed within `limits.relay.overLimitDays`. */
export const overLimitOf = (host: string) => sql<OverLimit>`coalesce((
  select ${streamPanels.overLimit} from ${streamPanels} where ${streamPanels.host} = ${host}
    and ${streamPanels.overLimitAt} > now() - make_interval(days => ${limits.relay.overLimitDays})), 'unknown')`
