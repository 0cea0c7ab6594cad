import * as z from 'zod/mini'

/** Messages that a browser sends over `/ws`. The user in `auth` is only compared with the session, never trusted. */
export const fromBrowser = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('auth'),
    auth: z.optional(z.boolean()),
    userId: z.optional(z.nullable(z.number())),
    username: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
    /** Milliseconds since the page was loaded. The server sends the changes since then, which the page has missed. */
    loadedMsAgo: z.optional(z.number().check(z.gte(0))),
  }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('pong'), timestamp: z.optional(z.number()) }),
  z.object({
    type: z.literal('page'),
    path: z.string().check(z.startsWith('/'), z.maxLength(2048)),
    /** An id shared by the open tabs of a browser, so that they count as one visitor. */
    browser: z.optional(z.string().check(z.minLength(12), z.maxLength(36))),
  }),
])
export type FromBrowser = z.output<typeof fromBrowser>

/** Messages that the server sends. `changed` lists the endpoint ids whose responses are stale for this user; an empty list means all. */
export type FromServer =
  | { type: 'ping' }
  | { type: 'pong'; timestamp: number }
  | { type: 'auth'; ok: boolean }
  | { type: 'changed'; endpoints: string[] }

/**
 * Milliseconds until a page reconnects after its socket was closed: five seconds plus up to one second of jitter, so that the pages of a restarted server
 * do not all reconnect in the same instant.
 */
export const reconnectMs = (): number => 5_000 + Math.random() * 1_000
