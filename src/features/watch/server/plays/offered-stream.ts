import { eq, sql } from 'drizzle-orm'
import { isInArchive } from '#features/guide/archive-rules.ts'
import { type ProgramTime, programAt } from '#features/guide/server/read/program-at.ts'
import * as settings from '#features/settings/server/service.ts'
import type { Tx } from '#server/db/connect.ts'
import { channelStreams, channels } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { archiveHours } from '../../rules.ts'
import { directHosts } from '../direct/direct-setting.ts'
import { archiveHoursIn, isLicensed, isLicensedIn, isPublished, isWatchingOn } from '../rights/licensed.ts'
import { refuse } from './refuse.ts'

/** A program in the archive. Playback starts at the time `at`. `isResumed`: this is where the customer stopped before. */
export type Recording = ProgramTime & { at: string; isResumed?: boolean }

/** Reads the stream and the archive of a channel. Throws if the channel is not offered in this country. */
export async function offeredStream(tx: Tx, channelId: number, country: string | null) {
  const [channel] = await tx
    .select({
      stream: channels.panelStream,
      isOn: isWatchingOn,
      isOffered: sql<boolean>`not ${channels.hidden} and ${isPublished(sql`${channels.id}`)}`,
      licensed: isLicensed(sql`${channels.id}`),
      licensedHere: isLicensedIn(sql`${channels.id}`, sql`${country}`),
      isTransport: sql<boolean>`coalesce(${channelStreams.isTransport}, false)`,
      archiveDays: sql<number>`coalesce(${channelStreams.archiveDays}, 0)`,
      licensedHours: archiveHoursIn(sql`${channels.id}`, sql`${country}`),
      directHosts,
    })
    .from(channels)
    .leftJoin(channelStreams, eq(channelStreams.channelId, channels.id))
    .where(eq(channels.id, channelId))
  if (!channel?.isOn || !channel.isOffered || channel.stream === null)
    return notFound('This channel cannot be watched here')
  if (!channel.licensed) return refuse('not_licensed')
  if (!channel.licensedHere) return refuse('territory')
  return { ...channel, stream: channel.stream }
}

/** Returns the recording of the program that was on at a given time. Throws `archive_missing` if the archive does not offer it. */
export async function recordingAt(
  tx: Tx,
  channelId: number,
  at: string,
  { archiveDays, licensedHours }: { archiveDays: number; licensedHours: number },
): Promise<Recording> {
  const { claims } = await settings.read(tx, 'site')
  const hours = archiveHours(archiveDays, licensedHours, claims.catchUpDays)
  const program = await programAt(tx, channelId, at)
  if (!program || !isInArchive(program, hours, Date.now())) return refuse('archive_missing')
  return { ...program, at }
}
