import { openPlay } from '#features/watch/server/plays/open-play.ts'
import { relayOf } from '#features/watch/server/relay/relay.ts'
import type { AppContext } from '#server/http/route.ts'
import { deviceById } from '#server/session/devices.ts'
import type { LinkedApp } from './find-link.ts'

/**
 * Opens a channel for a TV app, or the recording of the program that was on at `from`, and returns a playlist for it. The play uses one screen; another channel of the same app replaces it. The playlist
 * leads to addresses of this play without the credentials, which the app then polls: it asks for this one only once. Throws the refusals of
 * `openPlay` and of the relay.
 */
export async function playLink(
  context: AppContext,
  { deviceId, userId }: LinkedApp,
  wanted: { channelId: number; from?: string },
  country: string | null,
): Promise<string> {
  const { db, config } = context
  const viewer = { userId, country, device: (tx: Parameters<typeof deviceById>[0]) => deviceById(tx, deviceId) }
  const opened = await openPlay(db, config, viewer, wanted)
  const relay = relayOf(context)
  const { recording, ...play } = opened
  const times = recording && { at: Date.parse(recording.at), to: Date.parse(recording.endsAt) }
  const { address } = await relay.start({ ...play, userId, recording: times }, opened)
  const text = relay.traffic.takeReady(opened.id, opened.generation)
  return text?.includes('#EXT-X-STREAM-INF:')
    ? text
    : `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-STREAM-INF:BANDWIDTH=6000000\n${address}\n`
}
