import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/retry.ts'
import { plays } from '#server/db/tables.ts'
import { conflict } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { WatchingDevice } from '#server/session/devices.ts'
import { countRefusal } from './count-openings.ts'
import { type FullLineCall, fullLineColumns, readFullLine } from './full-line.ts'
import { type LineToWatch, lineToWatch, readLineRow } from './line-to-watch.ts'
import { offeredStream, type Recording, recordingAt } from './offered-stream.ts'
import { isRecent, isRunning } from './play-state.ts'
import { refuse } from './refuse.ts'
import { resumedRecording } from './resumed-recording.ts'

/** Who opens a play. `country`: the country code of their IP address; null if unknown. */
export type Viewer = {
  userId: number
  /** Finds the device or adds the browser, while the customer is locked. Returns undefined if the device was removed. */
  device: (tx: Tx) => Promise<WatchingDevice | undefined>
  country: string | null
  /** Whether this process has no request slot for trials. */
  isFullForTrials: boolean
  /** The name of this process, which requests the stream from the panel. */
  relay: string
}
/** An open play, with the data for requesting its stream. */
export type PlayToStart = FullLineCall & {
  id: string
  generation: number
  openedAt: string
  line: LineToWatch
  channelId: number
  stream: string
  isTransport: boolean
  /** The hosts from which the page may load the stream directly; empty if it must not. */
  directHosts: string[]
  /** The recording that plays; null for the live stream. */
  recording: Recording | null
  /** Whether a connection of this line was in use within the last 40 seconds, so that the panel may still count it. */
  wasBusy: boolean
  /** The time since this device last opened a play or changed its channel, in milliseconds; null if it has not played anything recently. */
  sinceLastMs: number | null
  /**
   * Streams of the customer that a process still opens or cuts into segments, although their play has ended or changed its channel. `relay` names the
   * process.
   */
  closing: { id: string; relay: string }[]
}

/**
 * Opens the play of a device, in one transaction that locks the customer: checks rights, territory and line, ends the play `take`, and counts the running plays
 * against the screens of the line. A device that already plays keeps its screen; the generation of its play increases. `from` opens the recording of the
 * program that was on at that time. With `resume`, a recording that is opened at its start resumes where the customer stopped. Throws 404 for a channel that is
 * not offered, 404 `archive_missing` for a recording that is not offered, 403, 409 and 503 with a reason from `rules.ts`, and 409 `took_turns` if screens of
 * the customer were taken over three times within the last minute.
 */
export const openPlay = (db: Db, config: Config, viewer: Viewer, wanted: Wanted): Promise<PlayToStart> =>
  countRefusal(config, wanted.from === undefined ? 'live' : 'recording', () => open(db, config, viewer, wanted))

type Wanted = {
  channelId: number
  from?: string | undefined
  resume?: boolean | undefined
  take?: string | undefined
  /** The id of the page that opens the play. */
  tab?: string | null | undefined
}
async function open(
  db: Db,
  config: Config,
  viewer: Viewer,
  { channelId, from, resume, take, tab = null }: Wanted,
): Promise<PlayToStart> {
  const { userId, country } = viewer
  return inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('plays'), ${userId})`)
    const { stream, isTransport, directHosts, ...archive } = await offeredStream(tx, channelId, country)
    const found = from === undefined ? null : await recordingAt(tx, channelId, from, archive)
    const recording = found && resume ? await resumedRecording(tx, { userId, channelId }, found) : found
    const watching = await lineToWatch(tx, config, await readLineRow(tx, userId))
    if ('blocked' in watching) return refuse(watching.blocked)
    if (watching.line.isTrial && viewer.isFullForTrials) return refuse('relay_full')
    const device = (await viewer.device(tx)) ?? refuse('session_over')
    const { id: deviceId, sessionId } = device
    const isOnDevice = and(eq(plays.deviceId, deviceId), isNull(plays.endedAt))
    if (take !== undefined) await takeOver(tx, { userId, device }, take)
    const isOther = sql`${plays.deviceId} is distinct from ${deviceId}`
    const [counted] = await tx
      .select({
        others: sql<number>`count(*) filter (where ${isRunning} and ${isOther})::int`,
        recent: sql<number>`count(*) filter (where ${isRecent})::int`,
        /** Plays of lost devices, which may come back. */
        lost: sql<number>`count(*) filter (where not ${isRecent} and ${isOther})::int`,
        sinceLastMs: sql<number | null>`
          (extract(epoch from now() - max(${plays.openedAt}) filter (where not ${isOther})) * 1000)::float8`,
        closing: sql<
          PlayToStart['closing']
        >`coalesce(json_agg(json_build_object('id', ${plays.id}, 'relay', ${plays.relay})) filter (
          where ${plays.relay} is not null and (${plays.endedAt} > now() - interval '2 seconds' or ${isOnDevice})), '[]')`,
        ...fullLineColumns({ deviceId, channelId, host: watching.line.base.host }),
      })
      .from(plays)
      // A job ends older plays.
      .where(
        and(
          eq(plays.userId, userId),
          sql`${plays.seenAt} > now() - interval '1 day'
            and (${plays.seenAt} > now() - interval '2 minutes' or ${plays.endedAt} is null)`,
        ),
      )
    const screensLeft = watching.line.screens - counted!.others
    if (screensLeft <= 0) return refuse('slots_full')
    if (counted!.lost >= screensLeft)
      await endLostPlays(tx, sql`${plays.userId} = ${userId} and ${isOther} and not ${isRecent}`, {
        kept: screensLeft - 1,
        takenBy: device.name,
      })
    const opened = { id: plays.id, generation: plays.generation, openedAt: plays.openedAt }
    const fullLine = readFullLine(counted!, { isLive: recording === null, isLastScreen: screensLeft === 1 })
    // Stores this process before the panel has responded, so that other processes can find the connection. Whether it stays open is known only after the
    // response.
    const { relay } = viewer
    const [updated] = await tx
      .update(plays)
      .set({
        channelId,
        device: device.name,
        sessionId,
        country,
        ...recordingColumns(recording),
        relay,
        tab,
        direct: null,
        generation: sql`${plays.generation} + 1`,
        openedAt: sql`now()`,
        seenAt: sql`now()`,
      })
      .where(isOnDevice)
      .returning(opened)
    const [play] = updated
      ? [updated]
      : await tx
          .insert(plays)
          .values({
            userId,
            sessionId,
            deviceId,
            device: device.name,
            channelId,
            country,
            ...recordingColumns(recording),
            relay,
            tab,
          })
          .returning(opened)
    await changed(tx, 'play', { user: userId })
    const { recent, sinceLastMs, closing } = counted!
    return {
      ...play!,
      ...{ line: watching.line, channelId, stream, isTransport, directHosts, recording },
      ...{ wasBusy: recent > 0, sinceLastMs, closing },
      ...fullLine,
    }
  })
}

const recordingColumns = (recording: Recording | null) => ({
  startsFrom: recording?.at ?? null,
  programFrom: recording?.startsAt ?? null,
  programTo: recording?.endsAt ?? null,
})

/**
 * Ends the open plays that `isLost` selects, except the `kept` latest ones. Otherwise a device that comes back would play in addition to the device that got
 * its screen. The play stores `takenBy`, the device that got the screen, but its reason is not `taken`, which would count as a takeover.
 */
async function endLostPlays(tx: Tx, isLost: SQL, { kept, takenBy }: { kept: number; takenBy: string }): Promise<void> {
  const ids = sql`select ${plays.id} from ${plays} where ${isLost} and ${plays.endedAt} is null order by ${plays.seenAt} desc offset ${kept}`
  await tx
    .update(plays)
    .set({ endedAt: sql`${plays.seenAt}`, why: 'closed', takenBy })
    .where(sql`${plays.id} in (${ids})`)
}

/** Ends the play `take` on another device of the customer. Has no effect on a play that has ended or belongs to another customer. */
async function takeOver(
  tx: Tx,
  { userId, device }: { userId: number; device: WatchingDevice },
  take: string,
): Promise<void> {
  const [{ takeovers } = { takeovers: 0 }] = await tx
    .select({ takeovers: sql<number>`count(*)::int` })
    .from(plays)
    .where(and(eq(plays.userId, userId), eq(plays.why, 'taken'), sql`${plays.endedAt} > now() - interval '1 minute'`))
  if (takeovers >= 3)
    return conflict('took_turns', 'Screens were taken over three times within a minute. Try again in a minute.')
  await tx
    .update(plays)
    .set({ endedAt: sql`now()`, why: 'taken', takenBy: device.name })
    .where(
      and(
        eq(plays.id, take),
        eq(plays.userId, userId),
        sql`${plays.deviceId} is distinct from ${device.id}`,
        isNull(plays.endedAt),
      ),
    )
}
