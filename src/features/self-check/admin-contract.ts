// Endpoints for administrators.
import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { idText, instant } from '#kit/text.ts'
import { browserFacts, serverFacts, verdict } from './contract.ts'

export const evidence = z.object({
  device: z.string(),
  checkedAt: instant,
  verdict,
  server: serverFacts,
  browser: browserFacts,
})
export type Evidence = z.output<typeof evidence>

export const getReportEvidence = get('/api/admin/reports/:reportId/evidence', {
  summary: 'The results of the self-check with which a report was sent; null if there was none',
  access: 'admin',
  needs: 'reports.read',
  dependsOn: ['report'],
  params: z.object({ reportId: idText }),
  output: z.nullable(evidence),
})
