// Admin endpoints of incidents: publish, update, end and withdraw incidents.
import * as z from 'zod/mini'
import { channelCategory } from '#features/catalog/contract.ts'
import { get, post } from '#kit/endpoint.ts'
import { id, idParam, instant, paragraph, rowVersion, singleLine } from '#kit/text.ts'
import { incident, incidentKind } from './contract.ts'

const text = paragraph(1, 2000, 'Please enter a description')
const title = singleLine(1, 120, 'Please enter a title')
const moment = z.iso.datetime({ error: 'Please enter a valid date and time', offset: true })
const name = singleLine(1, 120, 'Please enter a name')

const adminIncident = z.extend(incident, {
  version: rowVersion,
  withdrawnAt: z.nullable(instant),
  caseId: z.nullable(id),
  /** The title of the case. */
  caseTitle: z.nullable(z.string()),
  /** The number of reports in that case that are pending or under review. */
  waiting: z.int(),
})
export type AdminIncident = z.output<typeof adminIncident>

/** The maximum number of ended or withdrawn incidents in the list. */
export const oldIncidentsShown = 20
export const listIncidents = get('/api/admin/incidents', {
  summary: `Ongoing and planned incidents, then the newest ${oldIncidentsShown} ended or withdrawn ones`,
  access: 'admin',
  needs: 'reports.read',
  dependsOn: ['incident', 'report'],
  output: z.array(adminIncident),
})

export const newIncident = z.object({
  kind: incidentKind,
  title,
  text,
  /** The current time, if missing. */
  startsAt: z.optional(z.nullable(moment)),
  /** Required for maintenance; not allowed for other kinds. */
  plannedUntil: z.optional(z.nullable(moment)),
  categories: z.array(channelCategory).check(z.maxLength(20)),
  channels: z.array(name).check(z.maxLength(50, 'Please enter at most 50 channels')),
})
export type NewIncident = z.output<typeof newIncident>
export const openIncident = post('/api/admin/incidents', {
  summary: 'Publish an incident or planned maintenance on the status page',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  body: newIncident,
  output: adminIncident,
})
export const openCaseIncident = post('/api/admin/report-cases/:caseId/incident', {
  summary: 'Publish an incident of the kind problem on the status page for a case of reports',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params: z.object({ caseId: idParam }),
  output: adminIncident,
})

const params = z.object({ incidentId: idParam })
export const incidentUpdate = z.object({
  text,
  /** The new kind; unchanged if missing. Maintenance cannot get another kind, and no incident can become maintenance. */
  kind: z.optional(incidentKind),
  /** The new planned end of maintenance; unchanged if missing or null. */
  plannedUntil: z.optional(z.nullable(moment)),
})
export const updateIncident = post('/api/admin/incidents/:incidentId/updates', {
  summary: 'Publish an update of an incident',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params,
  /** The version that the administrator saw; a stale version is refused. */
  body: z.extend(incidentUpdate, { version: rowVersion }),
  output: adminIncident,
})

export const incidentEnd = z.object({
  text,
  /** The current time, if missing. */
  endedAt: z.optional(z.nullable(moment)),
  /** Whether to resolve the reports of the case of the incident. Each reporter then gets one email with the text. */
  notifies: z.boolean(),
})
export const endIncident = post('/api/admin/incidents/:incidentId/end', {
  summary: 'End an incident, and optionally resolve the reports of its case',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params,
  body: z.extend(incidentEnd, { version: rowVersion }),
  output: adminIncident,
})
export const withdrawIncident = post('/api/admin/incidents/:incidentId/withdraw', {
  summary: 'Remove an incident that was published by mistake, or cancel planned maintenance',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params,
  body: z.object({ version: rowVersion }),
  output: adminIncident,
})
