import { openPlay, type Viewer } from '#features/watch/server/plays/open-play.ts'
import { isFullForTrials } from '#features/watch/server/plays/places-for-trials.ts'
import { relayName } from '#features/watch/server/relay/inner-server.ts'
import { relayOf } from '#features/watch/server/relay/relay.ts'
import { startStream } from '#features/watch/server/relay/start-stream.ts'
import type { AppContext } from '#server/http/route.ts'
import { deviceById } from '#server/session/devices.ts'
import type { TvApp } from './find-tv-app.ts'

/**
 * Opens a channel for a TV app, or the recording of the program that was on at `from`, and returns a playlist. The play uses one screen; opening
 * another channel in the same app replaces it. The playlist contains URLs of this play, without credentials, which the app polls from then on. Throws
 * the same errors as `openPlay` and the relay.
 */
export async function openChannel(
  context: AppContext,
  { deviceId, userId }: TvApp,
  target: { channelId: number; from?: string },
  country: string | null,
): Promise<string> {
  const { db, config } = context
  const relay = relayOf(context)
  const viewer: Viewer = {
    userId,
    country,
    device: (tx) => deviceById(tx, deviceId),
    isFullForTrials: isFullForTrials(relay.traffic.running, config),
    relay: await relayName(context),
  }
  const opened = await openPlay(db, config, viewer, target)
  const { recording, ...play } = opened
  const times = recording && { at: Date.parse(recording.at), to: Date.parse(recording.endsAt) }
  const { address } = await startStream(context, { ...play, userId, recording: times }, { ...opened, directHosts: [] })
  const text = relay.traffic.takeReady(opened.id, opened.generation)
  return text?.includes('#EXT-X-STREAM-INF:')
    ? text
    : `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-STREAM-INF:BANDWIDTH=6000000\n${address}\n`
}
