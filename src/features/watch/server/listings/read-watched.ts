import { eq, sql } from 'drizzle-orm'
import { needsPanelListings } from '#features/guide/server/panel/count-calls.ts'
import { channels, plays } from '#server/db/tables.ts'
import type { Job } from '#server/jobs/jobs.ts'
import { limits } from '#server/limits.ts'
import { isRunning } from '../plays/play-state.ts'
import type { RelayContext } from '../relay/play.ts'
import { askPanel } from './ask-panel.ts'

const { atOnce, perMinute } = limits.panelListings

/** Asks the panel what is on the channels that customers are watching. Returns the number of channels. */
export async function readWatchedListings(context: RelayContext): Promise<number> {
  const watched = await context.db
    .selectDistinctOn([plays.channelId], { channelId: plays.channelId, userId: plays.userId })
    .from(plays)
    .innerJoin(channels, eq(channels.id, plays.channelId))
    .where(sql`${isRunning} and ${needsPanelListings}`)
    .limit(perMinute)
  for (let at = 0; at < watched.length; at += atOnce)
    await Promise.all(
      watched.slice(at, at + atOnce).map(({ userId, channelId }) => askPanel(context, userId, channelId)),
    )
  return watched.length
}

/** The scheduled job of `readWatchedListings`. */
export const readPanelListingsJob = (context: RelayContext): Job => ({
  name: 'read-panel-listings',
  cron: '* * * * *',
  run: () => readWatchedListings(context),
})
