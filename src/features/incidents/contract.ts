// The status page: what works now, and the incidents of the last 90 days.
import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { id, instant } from '#kit/text.ts'

export const incidentKind = z.enum(['problem', 'outage', 'maintenance'], 'Please choose a kind')
export type IncidentKind = z.output<typeof incidentKind>

/** A group of channels or a channel, by the name that people see. */
const affected = z.object({ isGroup: z.boolean(), name: z.string() })
export const incident = z.object({
  id,
  kind: incidentKind,
  title: z.string(),
  startsAt: instant,
  /** The planned end of maintenance; null for other kinds. */
  plannedUntil: z.nullable(instant),
  endedAt: z.nullable(instant),
  /** Empty for the whole service. */
  affected: z.array(affected),
  /** The newest first. */
  updates: z.array(z.object({ at: instant, text: z.string() })),
})
export type Incident = z.output<typeof incident>

/** How many days the status page goes back, today included. */
export const statusDays = 90
/** How many ended incidents it lists. */
export const endedShown = 100

export const getStatus = get('/api/status', {
  summary: `The state of the service and the incidents of the last ${statusDays} days`,
  access: 'public',
  cacheSeconds: 60,
  output: z.object({
    /** The worst state of the open incidents. Maintenance counts only while it is in progress. */
    state: z.nullable(incidentKind),
    /** Ongoing incidents, the worst first. */
    open: z.array(incident),
    /** Maintenance that has not begun, the next one first. */
    planned: z.array(incident),
    /** Ended ones, the newest first. */
    ended: z.array(incident),
    /** The last days in UTC, the oldest first, each with its worst state. */
    days: z.array(z.object({ day: z.string(), state: z.nullable(incidentKind) })),
  }),
})
export type ServiceStatus = z.output<(typeof getStatus)['output']>
