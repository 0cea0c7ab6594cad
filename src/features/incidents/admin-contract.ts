// Admin endpoints of incidents: open, update, end and withdraw them.
import * as z from 'zod/mini'
import { channelCategory } from '#features/catalog/contract.ts'
import { get, post } from '#kit/endpoint.ts'
import { id, idText, instant, paragraph, rowVersion, singleLine } from '#kit/text.ts'
import { incident, incidentKind } from './contract.ts'

const text = paragraph(1, 2000, 'Please describe it')
const title = singleLine(1, 120, 'Please enter a title')
const moment = z.iso.datetime({ error: 'Please enter a valid date and time', offset: true })
const name = singleLine(1, 120, 'Please enter a name')

const adminIncident = z.extend(incident, {
  version: rowVersion,
  withdrawnAt: z.nullable(instant),
  caseId: z.nullable(id),
  /** The name of the case. */
  caseTitle: z.nullable(z.string()),
  /** Reports of that case that wait for an answer. */
  waiting: z.int(),
})
export type AdminIncident = z.output<typeof adminIncident>

/** The number of ended or withdrawn incidents in the list. */
export const oldIncidentsShown = 20
export const listIncidents = get('/api/admin/incidents', {
  summary: `Incidents: ongoing and planned ones, then the newest ${oldIncidentsShown} others`,
  access: 'admin',
  needs: 'reports.read',
  dependsOn: ['incident', 'report'],
  output: z.array(adminIncident),
})

export const newIncident = z.object({
  kind: incidentKind,
  title,
  text,
  /** Now, if missing. */
  startsAt: z.optional(z.nullable(moment)),
  /** For maintenance, and only for that. */
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
  summary: 'Publish a problem on the status page for a case of reports',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params: z.object({ caseId: idText }),
  output: adminIncident,
})

const params = z.object({ incidentId: idText })
export const incidentUpdate = z.object({
  text,
  /** Unchanged if missing. Maintenance remains maintenance. */
  kind: z.optional(incidentKind),
  /** Of maintenance: a new planned end. */
  plannedUntil: z.optional(z.nullable(moment)),
})
export const updateIncident = post('/api/admin/incidents/:incidentId/updates', {
  summary: 'Publish an update of an incident',
  access: 'admin',
  needs: 'reports.edit',
  limit: 'adminWrite',
  params,
  /** The version that was shown; a stale version is refused. */
  body: z.extend(incidentUpdate, { version: rowVersion }),
  output: adminIncident,
})

export const incidentEnd = z.object({
  text,
  /** Now, if missing. */
  endedAt: z.optional(z.nullable(moment)),
  /** Resolve the reports of its case; each reporter gets one email with the text. */
  notifies: z.boolean(),
})
export const endIncident = post('/api/admin/incidents/:incidentId/end', {
  summary: 'End an incident, and resolve the reports of its case',
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
