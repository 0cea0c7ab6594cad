import { eq } from 'drizzle-orm'
import type { Hono } from 'hono'
import { countryCodeOf } from '#features/visitors/server/country.ts'
import type { Db } from '#server/db/connect.ts'
import { plays } from '#server/db/tables.ts'
import { signInFirst } from '#server/errors.ts'
import type { Caller } from '#server/http/request.ts'
import { type AppContext, implement, type Route } from '#server/http/route.ts'
import { browserOf, deviceById } from '#server/session/devices.ts'
import type { SessionUser } from '#server/session/session.ts'
import { unguarded } from '#server/session/session-guard.ts'
import { sessionIdOf } from '#server/session/session-id.ts'
import * as contract from '../contract.ts'
import { adminRoutes } from './admin-routes.ts'
import { endPlay, getPlay } from './plays/end-play.ts'
import { listPlays } from './plays/list-plays.ts'
import { openPlay, type Viewer } from './plays/open-play.ts'
import { readWatch } from './plays/read-watch.ts'
import { relayOf } from './relay/relay.ts'
import { serveStream } from './stream-route.ts'

export const routes: Route[] = [
  implement(contract.getWatch, ({ db, config, user, caller }) =>
    readWatch(db, config, user.id, countryCodeOf(caller.ip)),
  ),
  implement(contract.listPlays, async ({ db, user, caller }) => {
    const isHere = user.deviceId ? eq(plays.deviceId, user.deviceId) : eq(plays.sessionId, await sessionOf(db, caller))
    return listPlays(db, user.id, isHere)
  }),
  implement(contract.openPlay, async (context) => {
    const { db, config, user, caller, body } = context
    const viewer = { userId: user.id, device: await deviceOf(context), country: countryCodeOf(caller.ip) }
    const opened = await openPlay(db, config, viewer, body)
    if (body.take) relayOf(withoutGuard(context)).traffic.stop(body.take)
    return { id: opened.id, address: await relayOf(withoutGuard(context)).start(opened, user.id) }
  }),
  implement(contract.getPlay, ({ db, user, params }) => getPlay(db, user.id, params.playId)),
  implement(contract.endPlay, async (context) => {
    const { db, user, params } = context
    const { deviceId } = user
    await endPlay(db, { id: params.playId, userId: user.id, ...(deviceId && { deviceId }) }, 'closed')
    return { ended: true as const }
  }),
  ...adminRoutes,
]

/** The relay serves requests of all viewers, so it gets the database handle without the guard of one session. */
const withoutGuard = ({ db, config, log }: AppContext) => ({ db: unguarded(db) as Db, config, log })

/** Finds the paired device that calls, or the browser of the session. */
async function deviceOf({
  db,
  user,
  caller,
}: {
  db: Db
  user: SessionUser
  caller: Caller
}): Promise<Viewer['device']> {
  const { deviceId, id: userId } = user
  if (deviceId) return (tx) => deviceById(tx, deviceId)
  const { userAgent, ip } = caller
  const browser = { userId, sessionId: await sessionOf(db, caller), userAgent, country: countryCodeOf(ip) }
  return (tx) => browserOf(tx, browser)
}

const sessionOf = async (db: Db, { sessionToken }: Caller): Promise<number> =>
  (await sessionIdOf(db, sessionToken)) ?? signInFirst()

/**
 * Mounts `GET /stream/:play/:sealed`: playlists and segments of a play. It is not an endpoint of a contract, because the address is the credential:
 * receivers such as AirPlay send no cookies.
 */
export function mountStreams(hono: Hono, context: AppContext): void {
  hono.all('/stream/:play/:sealed', (c) => serveStream(c, context))
}
