import type { ServerResponse } from 'node:http'
import { eq } from 'drizzle-orm'
import type { Hono } from 'hono'
import { countryCodeOf } from '#features/visitors/server/country.ts'
import type { Db } from '#server/db/connect.ts'
import { plays } from '#server/db/tables.ts'
import { signInFirst } from '#server/errors.ts'
import { type Caller, callerOf } from '#server/http/request.ts'
import { type AppContext, implement, type Route } from '#server/http/route.ts'
import { browserOf, deviceById } from '#server/session/devices.ts'
import type { SessionUser } from '#server/session/session.ts'
import { unguarded } from '#server/session/session-guard.ts'
import { sessionIdOf } from '#server/session/session-id.ts'
import * as contract from '../contract.ts'
import { adminRoutes } from './admin-routes.ts'
import { countReporters } from './count-reporters.ts'
import { keepAlive } from './direct/keep-alive.ts'
import { serveLoader } from './direct/loader-route.ts'
import { askPanelInBackground, requestListings } from './listings/ask-panel.ts'
import { endPlay } from './plays/end-play.ts'
import { listPlays } from './plays/list-plays.ts'
import { openPlay, type Viewer } from './plays/open-play.ts'
import { isFullForTrials } from './plays/places-for-trials.ts'
import { channelOfPlay, getPlay } from './plays/read-play.ts'
import { readWatch } from './plays/read-watch.ts'
import { readWorkingSince } from './read-working-since.ts'
import { stopForProcess } from './relay/close-streams.ts'
import { answerOtherProcesses, relayName } from './relay/inner-server.ts'
import { relayOf } from './relay/relay.ts'
import { startStream } from './relay/start-stream.ts'
import { searchArchive } from './search-archive.ts'
import { respondToProcess, type StreamListener, serveStream, streamListener } from './serve-stream.ts'

export const routes: Route[] = [
  implement(contract.getWatch, ({ db, config, user, caller }) =>
    readWatch(db, config, user.id, countryCodeOf(caller.ip)),
  ),
  implement(contract.searchArchive, ({ db, user, caller, query }) =>
    searchArchive(db, countryCodeOf(caller.ip), { ...query, userId: user.id }),
  ),
  implement(contract.getReporterCount, async ({ db, user, params }) => ({
    count: await countReporters(db, user.id, params.channelId),
    workingSince: await readWorkingSince(db, params.channelId),
  })),
  implement(contract.requestListings, async (context) => ({
    programs: await requestListings(withoutGuard(context), context.user.id, context.params.channelId),
  })),
  implement(contract.listPlays, async (context) =>
    listPlays(context.db, context.user.id, await hereCondition(context)),
  ),
  implement(contract.openPlay, (context) => startPlay(context, context.body)),
  implement(contract.seekPlay, async (context) => {
    const { db, user, params, body } = context
    const channelId = await channelOfPlay(db, { id: params.playId, userId: user.id }, await hereCondition(context))
    return startPlay(context, { channelId, ...body })
  }),
  implement(contract.getPlay, ({ db, user, params }) => getPlay(db, user.id, params.playId)),
  implement(contract.keepAlive, (context) => {
    const { user, caller, params, body } = context
    const viewer = { userId: user.id, deviceId: user.deviceId, ip: caller.ip }
    return keepAlive(withoutGuard(context), viewer, { ...params, ...body })
  }),
  implement(contract.endPlay, async (context) => {
    const { db, user, params, query } = context
    const { deviceId } = user
    const { generation } = query
    const owned = { id: params.playId, userId: user.id, ...(deviceId && { deviceId }) }
    const hasEnded = await endPlay(db, { ...owned, ...(generation !== undefined && { generation }) }, 'closed')
    if (hasEnded) relayOf(withoutGuard(context)).traffic.stop(params.playId)
    return { ended: true as const }
  }),
  ...adminRoutes,
]

type Call = AppContext & { user: SessionUser; caller: Caller }
/** Returns the SQL condition that selects the plays of the caller's device or browser. */
const hereCondition = async ({ db, user, caller }: Call) =>
  user.deviceId ? eq(plays.deviceId, user.deviceId) : eq(plays.sessionId, await sessionOf(db, caller))

/** Opens a play, and then its stream on the panel. */
async function startPlay(
  context: Call,
  wanted: {
    channelId: number
    from?: string | undefined
    resume?: boolean | undefined
    take?: string | undefined
    tab?: string | undefined
  },
): Promise<contract.OpenedPlay> {
  const { db, config, user, caller } = context
  const relay = relayOf(withoutGuard(context))
  const viewer = {
    userId: user.id,
    device: await deviceFinder(context),
    country: countryCodeOf(caller.ip),
    isFullForTrials: isFullForTrials(relay.traffic.running, config),
    relay: await relayName(withoutGuard(context)),
  }
  const opened = await openPlay(db, config, viewer, wanted)
  if (wanted.take) relay.traffic.stop(wanted.take)
  const { recording, ...play } = opened
  const times = recording && { at: Date.parse(recording.at), to: Date.parse(recording.endsAt) }
  const {
    address,
    direct = null,
    startsAt,
    isSure,
    isOvertaken,
  } = await startStream(withoutGuard(context), { ...play, userId: user.id, recording: times }, opened)
  if (!isOvertaken) askPanelInBackground(withoutGuard(context), user.id, opened.channelId)
  return {
    id: opened.id,
    generation: opened.generation,
    address: `${streamOrigin(config.streamUrls, opened.id)}${address}`,
    direct,
    recording: recording && {
      title: recording.title,
      from: recording.startsAt,
      to: recording.endsAt,
      startsAt: new Date(startsAt ?? recording.at).toISOString(),
      at: recording.at,
      isResumed: recording.isResumed ?? false,
      isSure,
    },
  }
}

/**
 * Returns the origin that serves the stream of a play: one of those in STREAM_URL, always the same one for the same play; empty if the site itself serves the
 * stream.
 */
const streamOrigin = (origins: readonly string[], playId: string): string =>
  origins[Number.parseInt(playId.slice(0, 8), 16) % origins.length] ?? ''

/** The relay serves requests of all viewers, so it gets the database handle without the guard of the caller's session. */
const withoutGuard = ({ db, config, log }: AppContext) => ({ db: unguarded(db) as Db, config, log })

/** Returns a function that finds the caller's paired device, or the browser of the caller's session. */
async function deviceFinder({ db, user, caller }: Call): Promise<Viewer['device']> {
  const { deviceId, id: userId } = user
  if (deviceId) return (tx) => deviceById(tx, deviceId)
  const { userAgent, ip } = caller
  const browser = { userId, sessionId: await sessionOf(db, caller), userAgent, country: countryCodeOf(ip) }
  return (tx) => browserOf(tx, browser)
}

const sessionOf = async (db: Db, { sessionToken }: Caller): Promise<number> =>
  (await sessionIdOf(db, sessionToken)) ?? signInFirst()

/**
 * Mounts `GET /stream/:play/:sealed`: playlists and segments of a play. It is not an endpoint of a contract, because the address itself is the credential:
 * receivers such as those for AirPlay send no cookies. Returns the listener of `streamListener`, which answers such requests without Hono.
 */
export function mountStreams(
  hono: Hono,
  context: AppContext,
  onAnswer?: (status: number, tookMs: number) => void,
): StreamListener {
  hono.all('/stream/:play/:sealed', (c) => {
    const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
    return serveStream(c.req.raw, context, { ip: callerOf(c, context.config).ip, outgoing })
  })
  hono.get('/direct/:play/loader.js', (c) => serveLoader(context, c.req.param('play')))
  answerOtherProcesses((incoming, outgoing, own) => {
    if (stopForProcess(incoming.url ?? '', relayOf(own).traffic)) outgoing.end()
    else void respondToProcess(incoming, outgoing, own)
  })
  return streamListener(context, onAnswer)
}
