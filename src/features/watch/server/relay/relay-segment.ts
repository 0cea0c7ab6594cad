import type { Writable } from 'node:stream'
import { limits } from '#server/limits.ts'
import { countBuffer } from '#server/outbound/count-buffer.ts'
import { openStream, type UpstreamResponse } from '#server/outbound/open-stream.ts'
import type { StreamRules } from '#server/outbound/stream-address.ts'
import { kindOfText, mediaTypeOf, mediaTypes } from './media-type.ts'
import { countInTurn, whenTurnAllows } from './turn-bytes.ts'
import { StreamFailure, statusFailure, streamFailureOf } from './upstream-reason.ts'

export type Segment =
  | { status: 200 | 206; headers: Record<string, string>; body: SendBody }
  /** The requested range is outside of the segment. */
  | { status: 416; headers: Record<string, string>; body: null }
/** Sends a body as fast as the viewer reads it. If it breaks off, the viewer's connection is closed. Must be called once. */
export type SendBody = (viewer: Writable) => void
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
/** Enough to recognize two packets of a transport stream. */
const headBytes = 189

/**
 * Opens a segment or key on the panel. Its first bytes determine its type. It breaks off if the panel or the viewer pauses for too long, or if it becomes
 * too large. Throws StreamFailure.
 */
export async function relaySegment(
  { url, range, kind, signal, onEnd, onFailure, onTransport, pace }: Call,
  rules: StreamRules,
): Promise<Segment> {
  let response: UpstreamResponse | undefined
  try {
    response = await openStream({ url, range, firstByteMs: limits.relay.firstByteMs, signal }, rules)
    const refused = statusFailure(response.status)
    if (refused && response.status === 416 && range) {
      response.close()
      onEnd(0)
      return { status: 416, headers: rangeOf(response), body: null }
    }
    if (refused) throw refused
    const length = Number(response.headers['content-length'] ?? Number.NaN)
    const most = kind === 'key' ? keyBytes : limits.relay.segmentBytes
    if (length > most) throw tooLarge(kind)
    const first = await headOf(response)
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
      body: sender(first, response, { most, kind, signal, onEnd, onFailure, pace }),
    }
  } catch (error) {
    response?.close()
    throw streamFailureOf(error, { isFirst: false })
  }
}

const tooLarge = (kind: Call['kind']) =>
  new StreamFailure(kind === 'key' ? 'bad_stream' : 'channel_down', `${kind} too large`)

/** Returns the header `Content-Range` of a response, if it is valid. */
function rangeOf({ headers }: UpstreamResponse): Record<string, string> {
  const range = headers['content-range']
  return range && /^bytes [\d*/-]{3,60}$/.test(range) ? { 'content-range': range } : {}
}

/** Returns the first bytes of a body: enough to recognize media, unless the body is shorter. The body is paused afterwards. */
async function headOf({ body, close }: UpstreamResponse): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(close, limits.relay.firstByteMs)
  let head: Buffer = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    if (head.length < headBytes) return
    body.pause()
    resolve(true)
  }
  const onEnd = () => resolve(true)
  const onClose = () => resolve(false)
  body.on('data', onData).on('end', onEnd).on('close', onClose)
  const isWhole = await promise
  clearTimeout(timer)
  body.off('data', onData).off('end', onEnd).off('close', onClose)
  if (!isWhole) throw new StreamFailure('channel_down', 'segment cut off')
  if (head.length === 0) throw new StreamFailure('channel_down', 'empty segment')
  return head
}

type Sending = Pick<Call, 'kind' | 'signal' | 'onEnd' | 'pace'> & {
  onFailure: Call['onFailure'] | undefined
  most: number
}
/** Reads the next chunk only when the viewer has read what was sent, so that few chunks are kept in memory. */
const sender =
  (
    first: Buffer,
    { body, close }: UpstreamResponse,
    { most, kind, signal, onEnd, onFailure, pace }: Sending,
  ): SendBody =>
  (viewer) => {
    let sent = 0
    let isOver = false
    /** Limits how long the panel or the viewer may pause. */
    let pausing: NodeJS.Timeout | undefined
    const end = () => {
      if (isOver) return
      isOver = true
      clearTimeout(total)
      clearTimeout(pausing)
      signal.removeEventListener('abort', stop)
      close()
      onEnd(sent)
    }
    const fail = (failure?: StreamFailure) => {
      if (isOver) return
      end()
      if (failure) onFailure?.(failure)
      viewer.destroy()
    }
    const stop = () => fail()
    const total = setTimeout(stop, limits.relay.segmentMs)
    const finish = () => {
      if (isOver) return
      end()
      viewer.end()
    }
    const read = () => {
      clearTimeout(pausing)
      if (isOver) return
      if (body.readableEnded) return finish()
      pausing = setTimeout(() => fail(new StreamFailure('channel_down', 'silence')), limits.relay.silenceMs)
      whenTurnAllows(() => isOver || body.resume())
    }
    const write = (chunk: Buffer) => {
      if (isOver) return
      if (viewer.write(chunk)) return read()
      pausing = setTimeout(stop, limits.relay.stalledMs)
      viewer.once('drain', read)
    }
    const onChunk = (chunk: Buffer) => {
      clearTimeout(pausing)
      if (isOver) return
      body.pause()
      countBuffer(chunk.length)
      countInTurn(chunk.length)
      sent += chunk.length
      if (sent > most) return fail(tooLarge(kind))
      const waitMs = pace(chunk.length)
      if (waitMs > 0) pausing = setTimeout(write, waitMs, chunk)
      else write(chunk)
    }
    signal.addEventListener('abort', stop, { once: true })
    viewer.once('close', stop)
    body.on('data', onChunk).once('end', finish).once('close', stop)
    if (signal.aborted || viewer.destroyed || (body.destroyed && !body.readableEnded)) stop()
    else onChunk(first)
  }
