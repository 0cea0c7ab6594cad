import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from '#server/http/route.ts'
import { limits } from '#server/limits.ts'
import { notifyPresence } from '#server/live/notify.ts'
import type { Presence } from '#server/live/presence.ts'
import { deviceOf } from '#server/session/device.ts'
import type { ActiveVisitors } from '../../contract.ts'
import { foldSightings } from '../../rules.ts'
import { countryOf } from '../country.ts'
import { readOthers } from '../publication.ts'
import { sightedHere } from '../sightings.ts'

/** While somebody asks more often than this the other processes go on publishing. */
const keepsAskingMs = 20_000
const patienceMs = 1_000
const asked = new WeakMap<Presence, number>()

type Parts = Pick<AppContext, 'db' | 'config' | 'log' | 'presence'>

/**
 * Everybody who has pages open, on any process (specification 2, Active Visitors): all counted, the latest listed. Asking makes
 * the processes publish what they know; only the first to ask for a while waits for that, a second at most.
 */
export async function listActiveVisitors(parts: Parts): Promise<ActiveVisitors> {
  const { db, presence } = parts
  const startedAt = Date.now()
  const isFirst = startedAt - (asked.get(presence) ?? 0) > keepsAskingMs
  asked.set(presence, startedAt)
  await notifyPresence(db, presence.processId)
  let told = await readOthers(parts)
  while (isFirst && told.others.length < told.expected && Date.now() - startedAt < patienceMs) {
    await sleep(50)
    told = await readOthers(parts)
  }
  const all = [await sightedHere(db, presence), ...told.others]
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
