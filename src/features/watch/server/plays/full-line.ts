import { type SQL, sql } from 'drizzle-orm'
import { plays } from '#server/db/tables.ts'
import { type OverLimit, overLimitOf } from '../relay/sources/stream-panel.ts'

/** How the stream of a play is requested, and what this shows about the panel. */
export type FullLineCall = {
  /** Whether the transport stream is requested first, because the play uses the last screen of a line and the panel refuses lines that are full. */
  prefersTransport: boolean
  /** If the stream opens, this shows what the panel does with a line that has no connection left. Null if it shows nothing. */
  showsOverLimit: Exclude<OverLimit, 'unknown'> | null
}
type FullLine = { overLimit: OverLimit; wasFull: boolean; wasBad: boolean; wasHls: boolean }

/**
 * Returns the columns that `readFullLine` needs, for a query of the plays of a customer: what a device played within the last two minutes, and what is known
 * about the panel.
 */
export function fullLineColumns({ deviceId, channelId, host }: { deviceId: string; channelId: number; host: string }) {
  const isHere = sql`${plays.deviceId} = ${deviceId}`
  const ended = (condition: SQL) =>
    sql<boolean>`coalesce(bool_or(${plays.channelId} = ${channelId} and ${isHere} and ${condition}), false)`
  return {
    overLimit: overLimitOf(host),
    /**
     * Whether the panel refused this channel because it still counted another connection. Excludes streams that were cut into segments here, because those
     * ended repeatedly instead.
     */
    wasFull: ended(sql`${plays.why} = 'too_many' and ${plays.relay} is null`),
    /** Whether the channel could not be read. */
    wasBad: ended(sql`${plays.why} = 'bad_stream'`),
    /** Whether the device plays HLS, which a panel counts until 30 seconds after the last request. */
    wasHls: sql<boolean>`coalesce(bool_or(${isHere} and ${plays.endedAt} is null and ${plays.relay} is null
      and ${plays.seenAt} > now() - interval '20 seconds' and ${plays.openedAt} < now() - interval '5 seconds'), false)`,
  }
}

/**
 * Determines how to request a stream, and what the panel does with lines that have no connection left. If the panel refused a channel and now plays it, it
 * refuses full lines; a banned line, or a channel that the line does not have, would be refused again. If the panel plays a channel while it still counts the
 * last one, it does not refuse full lines.
 */
export function readFullLine(
  { overLimit, wasFull, wasBad, wasHls }: FullLine,
  { isLive, isLastScreen }: { isLive: boolean; isLastScreen: boolean },
): FullLineCall {
  const refuses = wasFull && overLimit !== 'refuses'
  const acceptsMore = overLimit === 'unknown' && isLastScreen && wasHls
  return {
    prefersTransport: overLimit === 'refuses' && isLive && isLastScreen && !wasBad,
    showsOverLimit: refuses ? 'refuses' : acceptsMore ? 'closes_oldest' : null,
  }
}
