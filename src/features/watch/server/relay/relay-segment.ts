import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { countBuffer } from '#server/outbound/count-buffer.ts'
import { openStream, type UpstreamResponse } from '#server/outbound/open-stream.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import { kindOfText, mediaTypeOf, mediaTypes } from './media-type.ts'
import { failureReason, StreamFailure, statusReason } from './upstream-reason.ts'

export type Segment =
  | { status: 200 | 206; headers: Record<string, string>; body: ReadableStream<Uint8Array> }
  /** The segment does not have the range. */
  | { status: 416; headers: Record<string, string>; body: null }
type Call = {
  url: URL
  range: string | undefined
  kind: 'segment' | 'cipher' | 'key'
  signal: AbortSignal
  /** Called once when the segment ends, with the number of bytes sent. */
  onEnd: (bytes: number) => void
  /** Called if the stream stops although the viewer reads it: the panel pauses for too long, or the segment becomes too large. */
  onFailure?: (failure: StreamFailure) => void
  /** Called with the first bytes of a transport stream. */
  onTransport?: (head: Buffer) => void
  /** Counts bytes for the viewer, and returns how long to wait before they are sent, in milliseconds. */
  pace: (bytes: number) => number
}

const keyBytes = 16
/** More than it takes to send the headers of a response that has begun, in milliseconds. */
const headersMs = 20

/**
 * Opens a segment or key on the panel and returns it as a stream that is read only as fast as the viewer reads it. Its first bytes determine its
 * type. The stream fails if the panel or the viewer pauses for too long, or if it becomes too large. Throws StreamFailure.
 */
export async function relaySegment(
  { url, range, kind, signal, onEnd, onFailure, onTransport, pace }: Call,
  rules: StreamRules,
): Promise<Segment> {
  let response: UpstreamResponse | undefined
  try {
    response = await openStream({ url, range, firstByteMs: limits.relay.firstByteMs, signal }, rules)
    const refused = statusReason(response.status)
    if (refused && response.status === 416 && range) {
      response.close()
      onEnd(0)
      return { status: 416, headers: rangeOf(response), body: null }
    }
    if (refused) throw refused
    const length = Number(response.headers['content-length'] ?? Number.NaN)
    const most = kind === 'key' ? keyBytes : limits.relay.segmentBytes
    if (length > most) throw tooLarge(kind)
    const chunks = (response.body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    const first = await headOf(chunks, response)
    const type = kind === 'segment' ? mediaTypeOf(first) : mediaTypes.binary
    // With a range, these may not be the first bytes of the file.
    if (type === undefined && !range) throw new StreamFailure('channel_down', `no media: ${kindOfText(first)}`)
    if (type === mediaTypes.transport && !range) onTransport?.(first)
    return {
      status: response.status === 206 ? 206 : 200,
      headers: {
        'content-type': type ?? mediaTypes.binary,
        ...(Number.isFinite(length) && { 'content-length': String(length) }),
        ...(response.status === 206 && rangeOf(response)),
      },
      body: pumped(first, chunks, { close: response.close, most, kind, signal, onEnd, onFailure, pace }),
    }
  } catch (error) {
    response?.close()
    throw failureReason(error, { isFirst: false })
  }
}

const tooLarge = (kind: Call['kind']) =>
  new StreamFailure(kind === 'key' ? 'bad_stream' : 'channel_down', `${kind} too large`)

/** The header Content-Range of a response, if it has a valid one. */
function rangeOf({ headers }: UpstreamResponse): Record<string, string> {
  const range = headers['content-range']
  return range && /^bytes [\d*/-]{3,60}$/.test(range) ? { 'content-range': range } : {}
}

/** The first bytes: enough to recognize media, unless the body is shorter. */
async function headOf(chunks: AsyncIterator<Buffer>, { close }: UpstreamResponse): Promise<Buffer> {
  const timer = setTimeout(close, limits.relay.firstByteMs)
  try {
    let head: Buffer = Buffer.alloc(0)
    while (head.length < 189) {
      const { value, done } = await chunks.next()
      if (done) break
      head = head.length === 0 ? value : Buffer.concat([head, value])
    }
    if (head.length === 0) throw new StreamFailure('channel_down', 'empty segment')
    return head
  } catch (error) {
    throw error instanceof StreamFailure ? error : new StreamFailure('channel_down', 'segment cut off')
  } finally {
    clearTimeout(timer)
  }
}

type Pump = Pick<Call, 'kind' | 'signal' | 'onEnd' | 'pace'> & {
  onFailure: Call['onFailure'] | undefined
  close: () => void
  most: number
}
/** Reads the next chunk only when the viewer asks for it, so that one chunk at most is kept in memory. */
function pumped(
  first: Buffer,
  chunks: AsyncIterator<Buffer>,
  { close, most, kind, signal, onEnd, onFailure, pace }: Pump,
): ReadableStream<Uint8Array> {
  let sent = 0
  let isOver = false
  let stalled: NodeJS.Timeout | undefined
  const total = setTimeout(() => fail(), limits.relay.segmentMs)
  let fail = (_failure?: StreamFailure) => {}
  const end = () => {
    if (isOver) return
    isOver = true
    clearTimeout(total)
    clearTimeout(stalled)
    signal.removeEventListener('abort', onAbort)
    close()
    onEnd(sent)
  }
  const onAbort = () => fail()
  let next: Buffer | undefined = first
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (failure) => {
          if (isOver) return
          end()
          if (failure) onFailure?.(failure)
          // While the headers are not sent, the server would answer 500 with the text of the error.
          void sleep(headersMs).then(() => controller.error(new Error('The stream was stopped')))
        }
        signal.addEventListener('abort', onAbort, { once: true })
        if (signal.aborted) fail()
      },
      async pull(controller) {
        clearTimeout(stalled)
        const silent = setTimeout(() => fail(new StreamFailure('channel_down', 'silence')), limits.relay.silenceMs)
        try {
          const chunk = next ?? (await chunks.next()).value
          next = undefined
          if (isOver) return
          if (chunk === undefined) {
            end()
            controller.close()
            return
          }
          countBuffer(chunk.length)
          sent += chunk.length
          if (sent > most) return fail(tooLarge(kind))
          clearTimeout(silent)
          const waitMs = pace(chunk.length)
          if (waitMs > 0) await sleep(waitMs, undefined, { signal })
          if (isOver) return
          controller.enqueue(chunk)
          stalled = setTimeout(() => fail(), limits.relay.stalledMs)
        } catch {
          fail()
        } finally {
          clearTimeout(silent)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
