// Admin endpoints of the operator's desk: what waits for an administrator.
import * as z from 'zod/mini'
import { get, type Output } from '#kit/endpoint.ts'
import { instant } from '#kit/text.ts'
import { type WorkKind, workKinds } from './rules.ts'

const waitingWork = z.object({
  count: z.int(),
  /** `count` is a lower bound. */
  isMinimum: z.boolean(),
  /** Since when the oldest of them waits; null when none waits. */
  oldest: z.nullable(instant),
  /** Within how many minutes this work is promised to be done. */
  promiseMinutes: z.int(),
})
export const getWorkCounts = get('/api/admin/desk/counts', {
  summary: 'How much work of each kind waits for an administrator, and since when',
  access: 'admin',
  dependsOn: ['invoice', 'trial_request', 'report', 'inquiry', 'line_job', 'setting'],
  output: z.object(
    Object.fromEntries(workKinds.map((kind) => [kind, waitingWork])) as Record<WorkKind, typeof waitingWork>,
  ),
})
export type WorkCounts = Output<typeof getWorkCounts>
