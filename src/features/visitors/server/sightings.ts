import { withoutControlCharacters } from '#kit/text.ts'
import type { Db } from '#server/db/connect.ts'
import { limits } from '#server/limits.ts'
import type { Presence } from '#server/live/presence.ts'
import { usersOfTokens } from '#server/session/session.ts'
import { type Departure, isCrawler, type Sighting } from '../rules.ts'

/** The visitors that one process has seen. */
export type ProcessSightings = { sightings: Sighting[]; departures: Departure[] }

/** Returns the visitors that this process has seen. The latest have details; the others only have what is needed to count them. */
export async function localSightings(db: Db, presence: Presence): Promise<ProcessSightings> {
  const isHuman = ({ userAgent }: { userAgent: string }) => !isCrawler(userAgent)
  const requests = presence.requests.filter(isHuman)
  const users = await usersOfTokens(
    db,
    requests.flatMap(({ sessionToken }) => sessionToken ?? []),
  )
  const now = Date.now()
  const seen = [
    ...[...presence.connections].filter(isHuman).map((connection) => ({
      who: presence.pseudonymOf(
        connection.sessionToken ? `session ${connection.sessionToken}` : `browser ${connection.browser}`,
      ),
      trace: connection.trace,
      isOpen: true,
      ageMs: now - connection.lastActive,
      username: connection.user?.username ?? null,
      source: connection,
    })),
    ...requests.map((request) => {
      const user = users.get(request.sessionToken ?? '')
      const trace = presence.traceOf(request)
      const who = user ? presence.pseudonymOf(`session ${request.sessionToken}`) : trace
      return { who, trace, isOpen: false, ageMs: now - request.at, username: user?.username ?? null, source: request }
    }),
  ].sort((a, b) => a.ageMs - b.ageMs)
  return {
    sightings: seen.map(({ who, trace, isOpen, ageMs, username, source }, index) => ({
      who,
      trace,
      isOpen,
      ageMs,
      ...(index < limits.presence.shown && {
        about: {
          username,
          ip: source.ip,
          userAgent: withoutControlCharacters(source.userAgent),
          path: withoutControlCharacters(source.path),
        },
      }),
    })),
    departures: presence.recentlyClosed.map(([trace, at]) => ({ trace, ageMs: now - at })),
  }
}
