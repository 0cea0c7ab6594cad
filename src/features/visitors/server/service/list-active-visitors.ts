import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { requestPresence } from '#server/live/notify.ts'
import type { Presence } from '#server/live/presence.ts'
import { deviceOf } from '#server/session/device.ts'
import type { ActiveVisitors } from '../../admin-contract.ts'
import { foldSightings } from '../../rules.ts'
import { countryOf } from '../country.ts'
import { readOthers } from '../publication.ts'
import { localSightings } from '../sightings.ts'

/** If requests come at shorter intervals than this, in milliseconds, the other processes are still publishing. */
const publishingPeriodMs = 20_000
const maxWaitMs = 1_000
const lastRequests = new WeakMap<Presence, number>()

type VisitorContext = Pick<AppContext, 'db' | 'config' | 'log' | 'presence'>

/**
 * Returns the visitors with open pages on any process: all are counted, the latest are listed. A request makes the other processes publish their
 * visitors; only the first request after a pause waits for them, at most `maxWaitMs`. Specification 2, Active Visitors.
 */
export async function listActiveVisitors(ctx: VisitorContext): Promise<ActiveVisitors> {
  const { db, presence } = ctx
  const startedAt = Date.now()
  const isFirst = startedAt - (lastRequests.get(presence) ?? 0) > publishingPeriodMs
  lastRequests.set(presence, startedAt)
  await requestPresence(db, presence.processId)
  let published = await readOthers(ctx)
  while (isFirst && published.others.length < published.expected && Date.now() - startedAt < maxWaitMs) {
    await sleep(50)
    published = await readOthers(ctx)
  }
  const all = [await localSightings(db, presence), ...published.others]
  const folded = foldSightings(
    all.flatMap(({ sightings }) => sightings),
    all.flatMap(({ departures }) => departures),
  )
  const now = Date.now()
  const visitors = folded.slice(0, limits.presence.shown).flatMap(({ who, ageMs, about }) => {
    if (!about) return []
    const { username, ip, path, userAgent } = about
    const lastActive = new Date(now - ageMs).toISOString()
    const place = { ipAddress: ip, country: countryOf(ip), path }
    return [
      {
        id: who,
        isAuthenticated: username !== null,
        username,
        ...place,
        userAgent,
        device: deviceOf(userAgent),
        lastActive,
      },
    ]
  })
  return { count: folded.length, visitors }
}
