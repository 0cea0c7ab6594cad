import type { Context } from 'hono'
import type { AppContext } from '#server/http/route.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { type Reason, reasons } from '../rules.ts'
import { lineToWatch } from './plays/line-to-watch.ts'
import { readPlayState, whyToEnd } from './plays/play-state.ts'
import { mediaTypes } from './relay/media-type.ts'
import { type Relay, relayOf } from './relay/relay.ts'
import { openAddress } from './relay/sealed-address.ts'
import { StreamFailure } from './relay/upstream-reason.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const oneRange = /^bytes=\d{1,15}-\d{0,15}$/

/** Answers a request for a stream. It works only while the play is open, entitled and on the channel that the address was issued for. */
export async function serveStream(c: Context, context: AppContext): Promise<Response> {
  if (c.req.raw.method !== 'GET') return refused(405, 'method_not_allowed', 'This method is not allowed here')
  return c.req.header('sec-fetch-site') === 'cross-site'
    ? refused(403, 'foreign_page', 'Streams play on our own pages only')
    : serve(c, relayOf(context), context)
}

async function serve(c: Context, relay: Relay, { db, config }: AppContext): Promise<Response> {
  const { play: id = '', sealed = '' } = c.req.param()
  const target = uuid.test(id) ? openAddress(secretKey(config), id, sealed, Date.now()) : undefined
  const [state] = target ? await readPlayState(db, { id }) : []
  if (!target || !state || state.generation !== target.generation) return refused(404, 'not_found', 'Not found')
  if (state.endedAt !== null) return gone((state.why as Reason | null) ?? 'closed')
  const blocked = whyToEnd(state)
  const watching = await lineToWatch(db, config, state)
  if (blocked || 'blocked' in watching || state.stream === null) {
    const why = blocked ?? ('blocked' in watching ? watching.blocked : 'not_licensed')
    await relay.end(state, why)
    return gone(why)
  }
  const range = c.req.header('range')
  if (range !== undefined && !oneRange.test(range)) return refused(416, 'range', 'Please request one range')
  const isPlaylist = target.kind === 'playlist' || target.kind === 'media'
  const running = relay.traffic.begin(id, target.generation, isPlaylist)
  if (running === 'relay_full') return refused(503, 'relay_full', reasons.relay_full, { 'retry-after': '10' })
  if (running === 'too_fast')
    return refused(429, 'too_many', 'Too many requests for one stream', { 'retry-after': '1' })
  const play = {
    id,
    userId: state.userId,
    generation: state.generation,
    openedAt: state.openedAt,
    line: watching.line,
    stream: state.stream,
  }
  try {
    if (isPlaylist) {
      const text = await relay.playlist(play, target, AbortSignal.any([running.signal, c.req.raw.signal]))
      running.end()
      return new Response(text, { headers: { 'content-type': mediaTypes.playlist, 'cache-control': 'no-store' } })
    }
    const { status, headers, body } = await relay.segment(play, target, range, {
      signal: AbortSignal.any([running.signal, c.req.raw.signal]),
      end: running.end,
    })
    return new Response(body, { status, headers: { ...headers, 'cache-control': 'private, max-age=60' } })
  } catch (error) {
    running.end()
    if (!(error instanceof StreamFailure)) throw error
    const reason = running.signal.aborted || c.req.raw.signal.aborted ? 'closed' : await relay.fail(play, error)
    return refused(504, reason, reasons[reason])
  }
}

const gone = (why: Reason) => refused(410, why, reasons[why])
const refused = (status: number, code: string, message: string, headers: Record<string, string> = {}) =>
  Response.json({ message, code }, { status, headers: { 'cache-control': 'no-store', ...headers } })
