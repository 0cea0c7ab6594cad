// The endpoint of the status page: the current state of the service, and the incidents of the last 90 days.
import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { id, instant } from '#kit/text.ts'

export const incidentKind = z.enum(['problem', 'outage', 'maintenance'], 'Please choose a kind')
export type IncidentKind = z.output<typeof incidentKind>

/** An affected channel or group of channels, with its displayed name. */
const affected = z.object({ isGroup: z.boolean(), name: z.string() })
export const incident = z.object({
  id,
  kind: incidentKind,
  title: z.string(),
  startsAt: instant,
  /** The planned end of maintenance; null for other kinds. */
  plannedUntil: z.nullable(instant),
  endedAt: z.nullable(instant),
  /** Empty if the whole service is affected. */
  affected: z.array(affected),
  /** Newest first. */
  updates: z.array(z.object({ at: instant, text: z.string() })),
})
export type Incident = z.output<typeof incident>

/** The number of days on the status page, including today. */
export const statusDays = 90
/** The maximum number of ended incidents on the status page. */
export const endedShown = 100

export const getStatus = get('/api/status', {
  summary: `The state of the service and the incidents of the last ${statusDays} days`,
  access: 'public',
  cacheSeconds: 60,
  output: z.object({
    /** The worst kind of the open incidents; null if there are none. Maintenance counts only while it is in progress. */
    state: z.nullable(incidentKind),
    /** Ongoing incidents, worst kind first. */
    open: z.array(incident),
    /** Maintenance that has not begun, earliest first. */
    planned: z.array(incident),
    /** Incidents that ended within these days, newest first. */
    ended: z.array(incident),
    /** The last `statusDays` days in UTC, oldest first. `state` is the worst kind of incident on that day; null without one. */
    days: z.array(z.object({ day: z.string(), state: z.nullable(incidentKind) })),
  }),
})
export type ServiceStatus = z.output<(typeof getStatus)['output']>
