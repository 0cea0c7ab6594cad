import type { StreamRules } from '#server/outbound/stream-address.ts'
import { type LineToWatch, streamAddress } from '../../plays/line-to-watch.ts'
import { openSource, type Source, type SourceCall } from '../open-source.ts'
import { StreamFailure } from '../upstream-reason.ts'

/**
 * Opens a channel on the panel: as HLS, or as a transport stream if the panel has no HLS. `isTransport`: the transport stream worked last time, so it is
 * requested first. The bytes of the response determine what it is. Throws StreamFailure.
 */
export async function openLive(
  line: LineToWatch,
  { stream, isTransport }: { stream: string; isTransport: boolean },
  rules: StreamRules,
  call: Pick<SourceCall, 'wasBusy' | 'origin' | 'signal'>,
): Promise<Source> {
  const [first, second] = isTransport ? (['ts', 'm3u8'] as const) : (['m3u8', 'ts'] as const)
  try {
    return await openSource({ ...call, url: streamAddress(line, stream, first), isFirst: true }, rules)
  } catch (error) {
    if (!isMissing(error)) throw error
    return await openSource({ ...call, url: streamAddress(line, stream, second), isFirst: true }, rules)
  }
}

/** Whether the error means that the panel does not have the stream in the requested form. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StreamFailure &&
  /^(HTTP (400|404|405|406|415|501)|no playlist: .*|empty playlist)$/.test(error.detail)
