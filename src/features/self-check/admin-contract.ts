// Endpoints for administrators.
import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { idParam, instant } from '#kit/text.ts'
import { browserFacts, causes, serverFacts, verdict } from './contract.ts'

export const evidence = z.object({
  device: z.string(),
  checkedAt: instant,
  verdict,
  server: serverFacts,
  browser: browserFacts,
})
export type Evidence = z.output<typeof evidence>

export const getReportEvidence = get('/api/admin/reports/:reportId/evidence', {
  summary: 'The results of the self-check that a report was sent with; null if there was none',
  access: 'admin',
  needs: 'reports.read',
  dependsOn: ['report'],
  params: z.object({ reportId: idParam }),
  output: z.nullable(evidence),
})

const checkOutcome = z.object({
  cause: z.enum(causes),
  checks: z.int(),
  /** How many of these checks were not followed by a report. */
  withoutReport: z.int(),
})
export type CheckOutcome = z.output<typeof checkOutcome>
export const listCheckOutcomes = get('/api/admin/self-checks', {
  summary:
    'How many self-checks of a channel ended with each verdict in the last 30 days, and how many of them were not followed by a report',
  access: 'admin',
  needs: 'watching.read',
  output: z.array(checkOutcome),
})
