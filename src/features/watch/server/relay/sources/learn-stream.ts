import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/connect.ts'
import { channelStreams } from '#server/db/tables.ts'
import type { Codecs } from '../packager/transport-tables.ts'

/** Stores what a play detected about the stream of a channel, if it differs from the stored values. */
export async function learnStream(
  db: Db,
  channelId: number,
  seen: { isTransport?: boolean; codecs?: Codecs },
): Promise<void> {
  const values = {
    ...(seen.isTransport !== undefined && { isTransport: seen.isTransport }),
    ...(seen.codecs && { video: seen.codecs.video, audio: seen.codecs.audio }),
  }
  const { isTransport, video, audio } = channelStreams
  await db
    .insert(channelStreams)
    .values({ channelId, ...values })
    .onConflictDoUpdate({
      target: channelStreams.channelId,
      set: values,
      setWhere: sql`(${isTransport}, ${video}, ${audio}) is distinct from
        (${values.isTransport ?? isTransport}, ${seen.codecs ? values.video : video}, ${seen.codecs ? values.audio : audio})`,
    })
}
