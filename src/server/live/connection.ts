import type { WebSocket } from 'ws'
import type { SessionUser } from '../session/session.ts'

/** One open page. The user comes from the cookie of the upgrade request only; the IP address is kept in memory only. */
export type Connection = {
  socket: WebSocket
  user: SessionUser | null
  sessionToken: string | undefined
  ip: string
  userAgent: string
  /** The page it shows; `/ws` until the page reports it. */
  path: string
  /** An id shared by the tabs of a browser; random if the page does not report first. */
  browser: string
  /** The pseudonym by `Presence.traceOf`. */
  trace: string
  /** When the user last interacted with the page (epoch milliseconds). */
  lastActive: number
}
