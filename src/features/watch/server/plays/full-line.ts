import { type SQL, sql } from 'drizzle-orm'
import { plays } from '#server/db/tables.ts'
import { type OverLimit, overLimitOf } from '../relay/sources/stream-panel.ts'

/** How the stream of a play is requested, and what it shows about its panel. */
export type FullLineCall = {
  /** Whether the transport stream is requested first, because the play uses the last screen of a line and its panel refuses lines that are full. */
  prefersTransport: boolean
  /** What the panel does with a line that has no connection left, if the stream opens. */
  showsOverLimit: Exclude<OverLimit, 'unknown'> | null
}
type FullLine = { overLimit: OverLimit; wasFull: boolean; wasBad: boolean; wasHls: boolean }

/**
 * What a device played within the last two minutes, and what is known about its panel, to determine what that does with a line that has no connection
 * left. For a query of the plays of a customer.
 */
export function fullLineColumns({ deviceId, channelId, host }: { deviceId: string; channelId: number; host: string }) {
  const isHere = sql`${plays.deviceId} = ${deviceId}`
  const ended = (condition: SQL) =>
    sql<boolean>`coalesce(bool_or(${plays.channelId} = ${channelId} and ${isHere} and ${condition}), false)`
  return {
    overLimit: overLimitOf(host),
    /** The panel refused this channel because it still counted another connection. A stream that was cut here ended repeatedly instead. */
    wasFull: ended(sql`${plays.why} = 'too_many' and ${plays.relay} is null`),
    /** The channel could not be read. */
    wasBad: ended(sql`${plays.why} = 'bad_stream'`),
    /** The device plays HLS, which a panel counts until 30 seconds after the last request. */
    wasHls: sql<boolean>`coalesce(bool_or(${isHere} and ${plays.endedAt} is null and ${plays.relay} is null
      and ${plays.seenAt} > now() - interval '20 seconds' and ${plays.openedAt} < now() - interval '5 seconds'), false)`,
  }
}

/**
 * A panel that refused a channel and later plays it refuses lines without a connection left; a line that is banned, or a channel that the line does not
 * have, is refused again. A panel that plays a channel while it still counts the last one does not.
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
