import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { forwardToProcess } from '#server/outbound/forward.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { type Reason, reasons } from '../rules.ts'
import { lineToWatch } from './plays/line-to-watch.ts'
import { isFullForTrials } from './plays/places-for-trials.ts'
import { type PlayState, readPlayState, whyToEnd } from './plays/play-state.ts'
import { mediaTypes } from './relay/media-type.ts'
import type { Packager } from './relay/packager/packager.ts'
import type { Play, RelayContext } from './relay/play.ts'
import { type Relay, relayOf } from './relay/relay.ts'
import { openAddress, type StreamTarget } from './relay/sealed-address.ts'
import { ownerOf } from './relay/store-relay.ts'
import { StreamFailure } from './relay/upstream-reason.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const oneRange = /^bytes=\d{1,15}-\d{0,15}$/
type Options = {
  isForwarded?: boolean
  /** The address of the viewer; undefined for a forwarded request. */
  ip?: string
  /** The response on the connection of the viewer; undefined without a connection, and for a forwarded request. */
  outgoing?: ServerResponse | undefined
}

/**
 * Answers a request for a stream. It is served only while the play is open, permitted, and on the channel that the address was issued for.
 * `isForwarded`: another process of this machine forwarded it, because this one cuts the stream into segments.
 */
export async function serveStream(
  request: Request,
  context: RelayContext | AppContext,
  options: Options = {},
): Promise<Response> {
  if (request.method !== 'GET') return refused(405, 'method_not_allowed', 'This method is not allowed here')
  if (request.headers.get('sec-fetch-site') === 'cross-site')
    return refused(403, 'foreign_page', 'Streams play on our own pages only')
  const response = await serve(request, relayOf(context), context, options)
  return context.config.streamUrls.length > 0 ? withCorsHeaders(response, context.config) : response
}

/** Permits pages of the site to read streams of another origin, which STREAM_URL names. */
function withCorsHeaders(response: Response, { publicUrl }: RelayContext['config']): Response {
  const { origin } = new URL(publicUrl)
  response.headers.set('access-control-allow-origin', origin)
  response.headers.set('cross-origin-resource-policy', 'cross-origin')
  if (response.headers.has('x-accel-redirect')) response.headers.set('x-up-origin', origin)
  return response
}

async function serve(request: Request, relay: Relay, context: RelayContext, options: Options): Promise<Response> {
  const { db, config } = context
  const { pathname } = new URL(request.url)
  const [, , id = '', sealed = ''] = pathname.split('/')
  const isPlay = uuid.test(id)
  const target = isPlay ? openAddress(secretKey(config), id, sealed, Date.now()) : undefined
  // Also for an address that does not open: the time of a refusal must not show whether it was valid once.
  const state = isPlay ? await stateOf(target, { id, relay, db }) : undefined
  if (!target || !state || state.generation !== target.generation) return refused(404, 'not_found', 'Not found')
  if (state.endedAt !== null) return gone((state.why as Reason | null) ?? 'closed')
  const blocked = whyToEnd(state)
  const watching = await lineToWatch(db, config, state)
  if (blocked || 'blocked' in watching || state.stream === null) {
    const why = blocked ?? ('blocked' in watching ? watching.blocked : 'not_licensed')
    await relay.end(state, why)
    return gone(why)
  }
  if (options.ip !== undefined && relay.traffic.isShared(id, options.ip)) {
    await relay.end(state, 'shared_address')
    return gone('shared_address')
  }
  if (watching.line.isTrial && isFullForTrials(relay.traffic.running, config))
    return refused(503, 'relay_full', reasons.relay_full, { 'retry-after': '10' })
  const range = request.headers.get('range') ?? undefined
  if (range !== undefined && !oneRange.test(range)) return refused(416, 'range', 'Please request one range')
  const isPlaylist = target.kind === 'playlist' || target.kind === 'media' || target.kind === 'packaged'
  const running = relay.traffic.begin(id, target.generation, isPlaylist)
  if (running === 'relay_full') return relayFull()
  if (running === 'too_fast')
    return refused(429, 'too_many', 'Too many requests for one stream', { 'retry-after': '1' })
  const play = playOf(state, { line: watching.line, stream: state.stream })
  const signal = AbortSignal.any([running.signal, request.signal])
  const { outgoing } = options
  try {
    if (target.kind === 'packaged' || target.kind === 'part') {
      const response = await servePackaged(relay, context, { play, state, target, signal, pathname, ...options })
      endWhenRead(outgoing, running.end)
      return response
    }
    if (target.kind === 'playlist' || target.kind === 'media') {
      const text = await relay.playlist(play, target, signal)
      endWhenRead(outgoing, running.end)
      return playlist(text)
    }
    const offloaded = await relay.offload(play, target, signal)
    if (offloaded) {
      running.end()
      return offloaded
    }
    const end = outgoing ? () => {} : running.end
    const { status, headers, body } = await relay.segment(play, target, range, { signal, end })
    if (outgoing) endWhenRead(outgoing, running.end)
    if (body === null) return refused(status, 'range', 'The segment does not have this range', headers)
    return new Response(body, { status, headers: { ...headers, 'cache-control': 'private, max-age=60' } })
  } catch (error) {
    running.end()
    if (!(error instanceof StreamFailure)) throw error
    const reason = running.signal.aborted || request.signal.aborted ? 'closed' : await relay.fail(play, error)
    return reason === 'relay_full' ? relayFull() : refused(504, reason, reasons[reason])
  }
}

/**
 * Calls `end` when the viewer has read the response. A viewer who reads nothing of it is disconnected after `limits.relay.stalledMs`, or twice that if a
 * part was sent: otherwise the response would stay in memory and occupy a slot.
 */
function endWhenRead(outgoing: ServerResponse | undefined, end: () => void): void {
  if (!outgoing || outgoing.destroyed) end()
  // Without a listener, Node closes a connection on which nothing was sent for this long.
  else outgoing.once('close', end).setTimeout(limits.relay.stalledMs)
}

/** The state of a play. Which process cuts its stream is always read from the database. */
async function stateOf(
  target: StreamTarget | undefined,
  { id, relay, db }: { id: string; relay: Relay; db: RelayContext['db'] },
): Promise<PlayState | undefined> {
  if (target && target.kind !== 'packaged' && target.kind !== 'part') return relay.traffic.state(id, target.generation)
  const [state] = await readPlayState(db, { id })
  return state
}

type Packaged = Options & { play: Play; state: PlayState; target: StreamTarget; signal: AbortSignal; pathname: string }

/** Serves the playlist or a segment of a stream that this or another process of this machine cuts into segments. Throws StreamFailure. */
async function servePackaged(relay: Relay, context: RelayContext, packaged: Packaged): Promise<Response> {
  const { play, state, target, signal, pathname, isForwarded } = packaged
  const { id, generation } = play
  let packager: Packager | undefined = relay.packaged.find(id, generation)
  if (!packager && !isForwarded) {
    const port = await ownerOf(context, state)
    const forwarded = port === undefined ? undefined : await forwardToProcess(port, pathname, signal)
    if (forwarded && forwarded.status !== 404) return forwarded
    // The other process has ended. This one continues a live stream; the page of the viewer reopens a recording at its position.
    if (!forwarded && (play.recording === null || state.relay === null) && target.kind === 'packaged') {
      const opened = await relay.open(play, { prefersTransport: true, signal })
      if (opened.source.kind === 'transport') packager = await relay.package(play, { ...opened, source: opened.source })
    }
  }
  if (!packager) return refused(404, 'not_found', 'Not found')
  if (target.kind === 'packaged') return playlist(await relay.packagedPlaylist(play, packager, signal))
  const bytes = packager.segment(Number(target.upstream))
  const waitMs = bytes ? relay.traffic.pace(id, bytes.length) : 0
  if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  return bytes
    ? new Response(bytes as Uint8Array<ArrayBuffer>, {
        headers: {
          'content-type': mediaTypes.transport,
          'content-length': String(bytes.length),
          'cache-control': 'private, max-age=60',
        },
      })
    : refused(404, 'not_found', 'Not found')
}

function playOf(state: PlayState, { line, stream }: Pick<Play, 'line' | 'stream'>): Play {
  const { id, userId, generation, openedAt, channelId, isTransport, startsFrom, programTo } = state
  const recording =
    startsFrom === null || programTo === null ? null : { at: Date.parse(startsFrom), to: Date.parse(programTo) }
  return { id, userId, generation, openedAt, channelId, isTransport, line, stream, recording }
}

const playlist = (text: string) =>
  new Response(text, { headers: { 'content-type': mediaTypes.playlist, 'cache-control': 'no-store' } })
const gone = (why: Reason) => refused(410, why, reasons[why])
const relayFull = () => refused(503, 'relay_full', reasons.relay_full, { 'retry-after': '10' })
const refused = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json({ message, code }, { status, headers: { 'cache-control': 'no-store', ...headers } })
