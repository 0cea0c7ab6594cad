import * as z from 'zod/mini'

/** What a browser says over `/ws`. `auth` is the specification's message: a hint that is compared with the session, never believed. */
export const fromBrowser = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('auth'),
    auth: z.optional(z.boolean()),
    userId: z.optional(z.nullable(z.number())),
    username: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
    /** How long ago the page was loaded: what changed since then is told again. */
    loadedMsAgo: z.optional(z.number().check(z.gte(0))),
  }),
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('pong'), timestamp: z.optional(z.number()) }),
  z.object({
    type: z.literal('page'),
    path: z.string().check(z.startsWith('/'), z.maxLength(2048)),
    /** A name the open tabs of a browser share, so that they count as one visitor. */
    browser: z.optional(z.string().check(z.minLength(12), z.maxLength(36))),
  }),
])
export type FromBrowser = z.output<typeof fromBrowser>

/** What the server says. `changed` names the endpoints (by id) whose answers are out of date for this user; none named means all. */
export type FromServer =
  | { type: 'ping' }
  | { type: 'pong'; timestamp: number }
  | { type: 'auth'; ok: boolean }
  | { type: 'changed'; endpoints: string[] }

/**
 * How long after its line was lost a page opens another, in milliseconds: five seconds and up to a fifth of that (specification 4), so
 * that the pages of a restarted server do not all come at one instant.
 */
export const reconnectMs = (): number => 5_000 + Math.random() * 1_000
