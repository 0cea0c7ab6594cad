import * as z from 'zod/mini'
import { get, type Output, post } from '#kit/endpoint.ts'
import { id, instant } from '#kit/text.ts'

/** One session of the user. */
export const session = z.object({
  id,
  /** The name of the device, such as `Chrome on Windows`. */
  device: z.string(),
  address: z.nullable(z.string()),
  createdAt: instant,
  lastSeenAt: instant,
  /** Whether this is the session that made the request. */
  current: z.boolean(),
})

export const listSessions = get('/api/account/sessions', {
  summary: 'The sessions of the user',
  access: 'member',
  output: z.array(session),
})
export type Session = Output<typeof listSessions>[number]
export const endSession = post('/api/account/sessions/end', {
  summary: 'End one session of the user',
  access: 'member',
  endsSessions: true,
  limit: 'write',
  body: z.object({ id }),
  output: z.object({ message: z.string() }),
})
export const endOtherSessions = post('/api/account/sessions/end-others', {
  summary: 'End all other sessions of the user',
  access: 'member',
  endsSessions: true,
  limit: 'write',
  output: z.object({ ended: z.int() }),
})
