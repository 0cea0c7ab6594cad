import { withoutControlCharacters } from '#kit/text.ts'
import type { Db } from '#server/db/connect.ts'
import { limits } from '#server/limits.ts'
import type { Presence } from '#server/live/presence.ts'
import { usersOfTokens } from '#server/session/session.ts'
import { type Departure, isCrawler, type Sighting } from '../rules.ts'

/** What one process knows of its visitors. */
export type Sighted = { sightings: Sighting[]; departures: Departure[] }

/** What this process knows; the latest are told whole, of the others just enough to count them. */
export async function sightedHere(db: Db, presence: Presence): Promise<Sighted> {
  const isPerson = ({ userAgent }: { userAgent: string }) => !isCrawler(userAgent)
  const requests = presence.requests.filter(isPerson)
  const users = await usersOfTokens(
    db,
    requests.flatMap(({ sessionToken }) => sessionToken ?? []),
  )
  const now = Date.now()
  const seen = [
    ...[...presence.connections].filter(isPerson).map((line) => ({
      who: presence.pseudonymOf(line.sessionToken ? `session ${line.sessionToken}` : `browser ${line.browser}`),
      trace: line.trace,
      isOpen: true,
      ageMs: now - line.lastActive,
      username: line.user?.username ?? null,
      source: line,
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
