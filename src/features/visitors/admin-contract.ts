import * as z from 'zod/mini'
import { get, type Output } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { instant } from '#kit/text.ts'

const deviceType = z.enum(['desktop', 'mobile', 'tablet', 'tv', 'other'])

/** A browser that has open pages or requested a page within the last five minutes. */
const visitor = z.object({
  /** Identifies a visitor within the list only. */
  id: z.string(),
  isAuthenticated: z.boolean(),
  username: z.nullable(z.string()),
  ipAddress: z.string(),
  /** English name; null without a GeoIP database or for an unknown address. */
  country: z.nullable(z.string()),
  path: z.string(),
  userAgent: z.string(),
  device: z.object({ browser: z.nullable(z.string()), system: z.nullable(z.string()), type: deviceType }),
  lastActive: instant,
})

export const listActiveVisitors = get('/api/admin/active-visitors', {
  access: 'admin',
  needs: 'visitors.read',
  dependsOn: ['visitor'],
  summary: 'Visitors with open pages: all are counted, the latest 500 are listed',
  output: z.object({ count: z.int(), visitors: z.array(visitor) }),
})
/** Pages poll this number, because a change event for every visitor would be too expensive for it. */
export const countActiveVisitors = get('/api/admin/active-visitors/count', {
  access: 'admin',
  needs: 'visitors.read',
  summary: 'The number of visitors with open pages',
  output: z.object({ count: z.int() }),
})
export const visitorSorts = ['lastActive', 'username', 'path'] as const
export const exportVisitors = csvOf('/admin/visitors.csv', {
  needs: 'visitors.read',
  summary: 'The latest 500 visitors with open pages as CSV',
  query: listQuery(visitorSorts),
})
export type ActiveVisitors = Output<typeof listActiveVisitors>
export type Visitor = ActiveVisitors['visitors'][number]
