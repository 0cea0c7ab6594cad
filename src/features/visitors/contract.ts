import * as z from 'zod/mini'
import { get, type Output } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { instant } from '#kit/text.ts'

const deviceType = z.enum(['desktop', 'mobile', 'tablet', 'tv', 'other'])

/** A browser that has pages open, or asked for one within the last five minutes. */
const visitor = z.object({
  /** Tells visitors apart and nothing else. */
  id: z.string(),
  isAuthenticated: z.boolean(),
  username: z.nullable(z.string()),
  ipAddress: z.string(),
  /** English name; null where the operator has no database of addresses, or it does not know this one. */
  country: z.nullable(z.string()),
  path: z.string(),
  userAgent: z.string(),
  device: z.object({ browser: z.nullable(z.string()), system: z.nullable(z.string()), type: deviceType }),
  lastActive: instant,
})

export const listActiveVisitors = get('/api/admin/active-visitors', {
  access: 'admin',
  summary: 'Who has pages open right now: all of them counted, the latest 500 listed',
  output: z.object({ count: z.int(), visitors: z.array(visitor) }),
})
export const visitorSorts = ['lastActive', 'username', 'path'] as const
export const exportVisitors = csvOf('/admin/visitors.csv', {
  summary: 'Who has pages open right now as CSV: the latest 500',
  query: listQuery(visitorSorts),
})
export type ActiveVisitors = Output<typeof listActiveVisitors>
export type Visitor = ActiveVisitors['visitors'][number]
