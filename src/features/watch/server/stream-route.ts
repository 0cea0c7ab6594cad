import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { isUuid } from '#kit/text.ts'
import { limits } from '#server/limits.ts'
import { forwardToProcess } from '#server/outbound/forward.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { type Reason, reasons } from '../rules.ts'
import { permittedLine } from './plays/permitted-line.ts'
import { isFullForTrials } from './plays/places-for-trials.ts'
import { type PlayState, readPlayState } from './plays/play-state.ts'
import { mediaTypes } from './relay/media-type.ts'
import type { Packager } from './relay/packager/packager.ts'
import type { Play, RelayContext } from './relay/play.ts'
import { type Relay, relayOf } from './relay/relay.ts'
import type { SendBody } from './relay/relay-segment.ts'
import { openAddress, type StreamTarget } from './relay/sealed-address.ts'
import { claimStream, clearRelay, ownerOf } from './relay/store-relay.ts'
import { StreamFailure } from './relay/upstream-reason.ts'

const oneRange = /^bytes=\d{1,15}-\d{0,15}$/
/** A stream request from a viewer or from another process. */
export type StreamRequest = {
  method: string
  path: string
  header: (name: 'range' | 'sec-fetch-site') => string | undefined
  /** Registers a function that is called if the viewer leaves before the response was sent. */
  onLeave: (leave: () => void) => void
  /** Whether another process on this machine forwarded the request, because this process cuts the stream into segments. */
  isForwarded?: boolean
  /** The IP address of the viewer; undefined for a forwarded request. */
  ip?: string
  /** The response on the connection of the viewer; undefined without a connection, and for a forwarded request. */
  outgoing?: ServerResponse | undefined
}
export type StreamAnswer = {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array | SendBody
}

/** Answers a stream request. The stream is served only while the play is open, permitted, and on the channel that the address was issued for. */
export async function answerStream(request: StreamRequest, context: RelayContext): Promise<StreamAnswer> {
  if (request.method !== 'GET') return refused(405, 'method_not_allowed', 'This method is not allowed here')
  if (request.header('sec-fetch-site') === 'cross-site')
    return refused(403, 'foreign_page', 'Streams can be played only on our own pages')
  const answer = await serve(request, relayOf(context), context)
  return context.config.streamUrls.length > 0 ? withCorsHeaders(answer, context.config) : answer
}

/** Adds the headers that permit pages of this site to read streams from the other origins in STREAM_URL. */
function withCorsHeaders(answer: StreamAnswer, { publicUrl }: RelayContext['config']): StreamAnswer {
  const { origin } = new URL(publicUrl)
  const headers: Record<string, string> = {
    ...answer.headers,
    'access-control-allow-origin': origin,
    'cross-origin-resource-policy': 'cross-origin',
  }
  if (headers['x-accel-redirect'] !== undefined) headers['x-up-origin'] = origin
  return { ...answer, headers }
}

async function serve(request: StreamRequest, relay: Relay, context: RelayContext): Promise<StreamAnswer> {
  const { db, config } = context
  const { path, outgoing } = request
  const [, , id = '', sealed = ''] = path.split('/')
  const isPlay = isUuid(id)
  const target = isPlay ? openAddress(secretKey(config), id, sealed, Date.now()) : undefined
  // The state is read even if the address cannot be opened, because the time until the refusal must not show whether the address was ever valid.
  const state = isPlay ? await stateOf(target, { id, relay, db }) : undefined
  if (!target || !state || state.generation !== target.generation) return refused(404, 'not_found', 'Not found')
  if (state.endedAt !== null) return gone((state.why as Reason | null) ?? 'closed')
  const permitted = await permittedLine(relay, context, state)
  if ('why' in permitted) return gone(permitted.why)
  if (request.ip !== undefined && relay.traffic.isShared(id, request.ip)) {
    await relay.end(state, 'shared_address')
    return gone('shared_address')
  }
  if (permitted.line.isTrial && isFullForTrials(relay.traffic.running, config))
    return refused(503, 'relay_full', reasons.relay_full, { 'retry-after': '10' })
  const range = request.header('range')
  if (range !== undefined && !oneRange.test(range)) return refused(416, 'range', 'Please request a single range')
  const isPlaylist = target.kind === 'playlist' || target.kind === 'media' || target.kind === 'packaged'
  const running = relay.traffic.begin(id, target.generation, isPlaylist)
  if (running === 'relay_full') return relayFull()
  if (running === 'too_fast')
    return refused(429, 'too_many', 'Too many requests for one stream', { 'retry-after': '1' })
  const play = playOf(state, permitted)
  const { signal } = running
  request.onLeave(running.abort)
  try {
    if (target.kind === 'packaged' || target.kind === 'part') {
      const answer = await servePackaged(relay, context, { play, state, target, signal, request })
      endWhenRead(outgoing, running.end)
      return answer
    }
    if (target.kind === 'playlist' || target.kind === 'media') {
      const text = await relay.playlist(play, target, signal)
      endWhenRead(outgoing, running.end)
      return playlist(text)
    }
    const offloaded = await relay.offload(play, target, signal)
    if (offloaded) {
      running.end()
      // With a Content-Length of 0, nginx keeps the connection to this process open. Without it, nginx opens a new connection for every segment.
      return { status: 200, headers: offloaded, body: '' }
    }
    const end = outgoing ? () => {} : running.end
    const { status, headers, body } = await relay.segment(play, target, range, { signal, end })
    if (outgoing) endWhenRead(outgoing, running.end)
    if (body === null) return refused(status, 'range', 'The segment does not have this range', headers)
    return { status, headers: { ...headers, 'cache-control': 'private, max-age=60' }, body }
  } catch (error) {
    running.end()
    if (!(error instanceof StreamFailure)) throw error
    const reason = signal.aborted ? 'closed' : await relay.fail(play, error)
    return reason === 'relay_full' ? relayFull() : refused(504, reason, reasons[reason])
  }
}

/**
 * Calls `end` when the viewer has read the response. A viewer who does not read the response is disconnected after `limits.relay.stalledMs`, or after twice
 * that time if a part was sent. Otherwise the response would stay in memory and occupy a slot.
 */
function endWhenRead(outgoing: ServerResponse | undefined, end: () => void): void {
  if (!outgoing || outgoing.destroyed) end()
  // Without a listener for the timeout, Node closes a connection on which nothing was sent for this long.
  else outgoing.once('close', end).setTimeout(limits.relay.stalledMs)
}

/** Returns the state of a play. Which process cuts its stream is always read from the database, never from the cache. */
async function stateOf(
  target: StreamTarget | undefined,
  { id, relay, db }: { id: string; relay: Relay; db: RelayContext['db'] },
): Promise<PlayState | undefined> {
  if (target && target.kind !== 'packaged' && target.kind !== 'part') return relay.traffic.state(id, target.generation)
  const [state] = await readPlayState(db, { id })
  return state
}

type Packaged = { play: Play; state: PlayState; target: StreamTarget; signal: AbortSignal; request: StreamRequest }

/** Serves the playlist or a segment of a stream that this or another process of this machine cuts into segments. Throws StreamFailure. */
async function servePackaged(relay: Relay, context: RelayContext, packaged: Packaged): Promise<StreamAnswer> {
  const { play, state, target, signal, request } = packaged
  const { id, generation } = play
  let packager: Packager | undefined = relay.packaged.find(id, generation)
  if (!packager && !request.isForwarded) {
    const port = await ownerOf(context, state)
    const forwarded = port === undefined ? undefined : await forwardToProcess(port, request.path, signal)
    if (forwarded && forwarded.status !== 404)
      return { ...forwarded, body: (viewer) => void pipeline(forwarded.body, viewer, () => undefined) }
    // The other process has ended. This process continues a live stream; the viewer's page reopens a recording at its position.
    if (!forwarded && (play.recording === null || state.relay === null) && target.kind === 'packaged')
      packager = await openHere(relay, context, packaged)
  }
  if (!packager) return refused(404, 'not_found', 'Not found')
  if (target.kind === 'packaged') return playlist(await relay.packagedPlaylist(play, packager, signal))
  const bytes = packager.segment(Number(target.upstream))
  const waitMs = bytes ? relay.traffic.pace(id, bytes.length) : 0
  if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  if (!bytes) return refused(404, 'not_found', 'Not found')
  return {
    status: 200,
    headers: { 'content-type': mediaTypes.transport, 'cache-control': 'private, max-age=60' },
    body: bytes,
  }
}

/**
 * Opens the stream of a play that no other process cuts into segments, and cuts it here. Returns undefined if the play has changed its channel or ended, or
 * the panel sends HLS now. Throws StreamFailure.
 */
async function openHere(
  relay: Relay,
  context: RelayContext,
  { play, state, signal }: Packaged,
): Promise<Packager | undefined> {
  if (!(await claimStream(context, play, state))) return undefined
  let packager: Packager | undefined
  try {
    const opened = await relay.open(play, { prefersTransport: true, signal })
    const { source } = opened
    if (source.kind === 'transport' && signal.aborted) source.close()
    else if (source.kind === 'transport') packager = relay.package(play, { ...opened, source })
  } finally {
    if (!packager) await clearRelay(context, play)
  }
  return packager
}

function playOf(state: PlayState, { line, stream }: Pick<Play, 'line' | 'stream'>): Play {
  const { id, userId, generation, openedAt, channelId, isTransport, startsFrom, programTo } = state
  const recording =
    startsFrom === null || programTo === null ? null : { at: Date.parse(startsFrom), to: Date.parse(programTo) }
  return { id, userId, generation, openedAt, channelId, isTransport, line, stream, recording }
}

const playlist = (text: string): StreamAnswer => ({
  status: 200,
  headers: { 'content-type': mediaTypes.playlist, 'cache-control': 'no-store' },
  body: text,
})
const gone = (why: Reason) => refused(410, why, reasons[why])
const relayFull = () => refused(503, 'relay_full', reasons.relay_full, { 'retry-after': '10' })
const refused = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): StreamAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify({ message, code }),
})
