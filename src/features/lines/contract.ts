import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'
import { instant } from '#kit/text.ts'

/** `preparing`: it is being made; `paused`: nothing that is paid for runs. */
export const ownLineState = z.enum(['preparing', 'ready', 'paused'])
/** A line as its customer sees it; the password is told by `revealOwnLine` alone. */
export const ownLine = z.object({
  state: ownLineState,
  trial: z.boolean(),
  server: z.nullable(z.string()),
  username: z.nullable(z.string()),
  connections: z.nullable(z.int()),
  until: z.nullable(instant),
})
export type OwnLine = z.output<typeof ownLine>

export const getOwnLine = get('/api/line', {
  summary: 'Own line on the panel, without its password; null where none was made for this account',
  access: 'member',
  output: z.nullable(ownLine),
})
export const revealOwnLine = post('/api/line/reveal', {
  summary: 'The password of the own line; each time is noted in the audit log',
  access: 'member',
  limit: 'iptv',
  output: z.object({ password: z.string() }),
})
