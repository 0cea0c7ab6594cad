import type { WebSocket } from 'ws'
import type { SessionUser } from '../session/session.ts'

/** One open page. The user comes only from the cookie of the upgrade request. The IP address is kept only in memory. */
export type Connection = {
  socket: WebSocket
  user: SessionUser | null
  sessionToken: string | undefined
  ip: string
  userAgent: string
  /** The path of the page; `/ws` until the page reports its path. */
  path: string
  /** An id that all tabs of a browser share; a random id until the page reports it. */
  browser: string
  /** The pseudonym that `Presence.traceOf` returned. */
  trace: string
  /** When the user last interacted with the page (epoch milliseconds). */
  lastActive: number
}
