import type { Context, Hono } from 'hono'
import { countryCodeOf } from '#features/visitors/server/country.ts'
import { isUnavailable } from '#server/db/connect.ts'
import { Refusal } from '#server/errors.ts'
import { acceptsEncoding } from '#server/http/accept-encoding.ts'
import { type Caller, callerOf } from '#server/http/request.ts'
import type { AppContext } from '#server/http/route.ts'
import { loggableError } from '#server/observability/loggable-error.ts'
import { findTvApp, type TvApp, type TvAppRequest } from './find-tv-app.ts'
import { Lineups, StoredList } from './lineups.ts'
import { openChannel } from './open-channel.ts'
import { playerApi } from './player-api.ts'
import { m3uOf, playlistForm } from './playlist.ts'
import { xmltvOf } from './xmltv.ts'

type Answer = (request: { c: Context; context: AppContext; caller: Caller; app: TvApp }) => Promise<Response>
const text = (body: string, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(body, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...uncached, ...headers } })
const uncached = { 'cache-control': 'no-store' }
/** The same response for wrong or removed credentials and for missing channels, so that it reveals nothing. */
const notFound = () => text('Not found', 404)
const formBytes = 4_096

/**
 * Mounts the routes of TV apps: the player API, playlist, guide and channels of an Xtream-compatible panel, with the credentials of one device. They are
 * not endpoints of a contract, because the apps determine the URLs and responses. Never log these URLs: they contain credentials.
 */
export function mountTvAppRoutes(hono: Hono, context: AppContext): void {
  const serve = (c: Context, credentials: Credentials, answer: Answer, onWrongCredentials = notFound) =>
    respond(c, context, credentials, answer, onWrongCredentials)
  const lineups = new Lineups(context)
  const requestOf = ({ ip }: Caller, app: TvApp): TvAppRequest => {
    return { ...context, app, lineup: () => lineups.in(countryCodeOf(ip)) }
  }
  hono.all('/player_api.php', async (c) => {
    const query = await fieldsOf(c)
    const answer: Answer = async ({ caller, app }) => {
      await context.limits.take('link', { ip: caller.ip, userId: app.userId })
      const found = await playerApi(requestOf(caller, app), query)
      return found instanceof StoredList ? listResponse(found, c) : Response.json(found, { headers: uncached })
    }
    return serve(c, credentialsIn(query), answer, () =>
      Response.json({ user_info: { auth: 0 } }, { headers: uncached }),
    )
  })
  hono.all('/get.php', async (c) => {
    const query = await fieldsOf(c)
    const answer: Answer = async ({ caller, app }) => {
      await context.limits.take('link', { ip: caller.ip, userId: app.userId })
      const list = await m3uOf(requestOf(caller, app), playlistForm(query))
      return text(list, 200, { 'content-type': 'audio/x-mpegurl; charset=utf-8' })
    }
    return serve(c, credentialsIn(query), answer)
  })
  hono.all('/xmltv.php', async (c) => {
    const answer: Answer = async ({ caller, app }) => {
      await context.limits.take('linkGuide', { ip: caller.ip, userId: app.userId })
      const xml = xmltvOf(requestOf(caller, app))
      return guideResponse(xml, acceptsEncoding(c.req.header('accept-encoding') ?? '', 'gzip'))
    }
    return serve(c, credentialsIn(await fieldsOf(c)), answer)
  })
  const playChannel = (c: Context) => {
    const { username = '', password = '', file = '', start } = c.req.param() as Record<string, string>
    const channelId = /^(\d{1,9})(\.(m3u8|ts))?$/.exec(file)?.[1]
    const from = start === undefined ? undefined : instantOf(start)
    const answer: Answer = async ({ caller, app }) => {
      if (channelId === undefined || from === null) return notFound()
      await context.limits.take('play', { ip: caller.ip, userId: app.userId })
      const list = await openChannel(
        context,
        app,
        { channelId: Number(channelId), ...(from && { from }) },
        countryCodeOf(caller.ip),
      )
      return text(list, 200, { 'content-type': 'application/vnd.apple.mpegurl' })
    }
    return serve(c, { username, password }, answer)
  }
  hono.all('/live/:username/:password/:file', playChannel)
  hono.all('/timeshift/:username/:password/:minutes/:start/:file', playChannel)
  // Older apps leave out `live`.
  hono.all('/:username{[a-z0-9]{8}}/:password{[a-z0-9]{16}}/:file{[0-9]{1,9}(?:\\.(?:m3u8|ts))?}', playChannel)
}

/** Returns the ISO time for a start such as `2026-11-25:20-15` (UTC); null if it is malformed. */
function instantOf(start: string): string | null {
  const [, day, hour, minute] = /^(20\d\d-\d\d-\d\d)[:_](\d\d)-(\d\d)$/.exec(start) ?? []
  const at = Date.parse(`${day}T${hour}:${minute}:00Z`)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

type Credentials = { username: string; password: string }
async function respond(
  c: Context,
  context: AppContext,
  credentials: Credentials,
  answer: Answer,
  onWrongCredentials: () => Response,
): Promise<Response> {
  const { method } = c.req.raw
  // A HEAD request for a channel would use up a screen.
  if (method !== 'GET' && method !== 'POST') return text('This method is not allowed here', 405, { allow: 'GET, POST' })
  const caller = callerOf(c, context.config)
  try {
    const app = await findTvApp(context.db, credentials.username, credentials.password)
    if (app) return await answer({ c, context, caller, app })
    return (await context.limits.mayMissLink(caller.ip)) ? onWrongCredentials() : notFound()
  } catch (error) {
    if (isUnavailable(error)) {
      context.log.error({ route: 'link' }, 'database unavailable')
      return text('We cannot reach our records right now. Please try again in a moment.', 503, { 'retry-after': '2' })
    }
    if (!(error instanceof Refusal)) {
      context.log.error({ route: 'link', error: loggableError(error as Error) }, 'unexpected error')
      return text('Internal error', 500)
    }
    if (error.status === 404) return notFound()
    // Apps show 403 as: the connection limit is reached.
    return text(error.message, error.code === 'slots_full' ? 403 : error.status, error.headers)
  }
}

const credentialsIn = (query: URLSearchParams): Credentials => ({
  username: query.get('username') ?? '',
  password: query.get('password') ?? '',
})

/** Returns the parameters of the URL query, and of the form in a POST body of at most `formBytes`. */
async function fieldsOf(c: Context): Promise<URLSearchParams> {
  const query = new URL(c.req.url).searchParams
  const length = Number(c.req.header('content-length') ?? Number.NaN)
  if (c.req.raw.method !== 'POST' || !(length > 0 && length <= formBytes)) return query
  for (const [name, value] of new URLSearchParams(await c.req.text())) query.append(name, value)
  return query
}

/** Sends a list from memory. It contains no customer data, so compression cannot leak any (BREACH). */
function listResponse({ json, gzipped }: StoredList, c: Context): Response {
  const isGzipped = acceptsEncoding(c.req.header('accept-encoding') ?? '', 'gzip')
  const headers = { 'content-type': 'application/json', vary: 'accept-encoding', ...uncached }
  return new Response(isGzipped ? gzipped : json, {
    headers: isGzipped ? { ...headers, 'content-encoding': 'gzip' } : headers,
  })
}

/** Streams the XMLTV file, so that a large guide is never completely in memory. */
function guideResponse(xml: AsyncIterable<string>, isGzipped: boolean): Response {
  const body = ReadableStream.from(xml).pipeThrough(new TextEncoderStream())
  const headers = { 'content-type': 'application/xml; charset=utf-8', ...uncached }
  return isGzipped
    ? new Response(body.pipeThrough(new CompressionStream('gzip')), {
        headers: { ...headers, 'content-encoding': 'gzip' },
      })
    : new Response(body, { headers })
}
