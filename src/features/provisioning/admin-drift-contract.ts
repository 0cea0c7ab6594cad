// Admin endpoints of drift: the differences between the panel and our records, and how they are resolved.
import * as z from 'zod/mini'
import { get, type Output, post } from '#kit/endpoint.ts'
import { idParam, instant } from '#kit/text.ts'

const text = z.nullable(z.string())

export const driftKind = z.enum(['no_line', 'missing', 'end', 'connections', 'state', 'stray'])
const facts = z.object({
  enabled: z.optional(z.boolean()),
  until: z.optional(z.nullable(instant)),
  connections: z.optional(z.nullable(z.int())),
})
const drift = z.object({
  id: z.int(),
  kind: driftKind,
  userId: z.nullable(z.int()),
  customer: text,
  lineRef: text,
  username: text,
  /** The name of the panel; null if there is only one panel. */
  panelName: text,
  ours: facts,
  theirs: facts,
  /** Whether the panel’s state can be applied to our records. */
  canTakeTheirs: z.boolean(),
})
export type LineDrift = z.output<typeof drift>
export const listLineDrift = get('/api/admin/line-drift', {
  summary: 'The differences between the panel and our records in the last comparison',
  access: 'admin',
  needs: 'lines.read',
  dependsOn: ['line_drift'],
  output: z.object({
    checkedAt: z.nullable(instant),
    /** When the pending comparison was requested; null if none is pending. */
    askedAt: z.nullable(instant),
    note: text,
    open: z.int(),
    kept: z.int(),
    rows: z.array(drift),
  }),
})
export type LineDriftList = Output<typeof listLineDrift>
export const compareLines = post('/api/admin/line-drift/check', {
  summary: 'Compare our records with the panel now; audited',
  access: 'admin',
  needs: 'lines.edit',
  limit: 'adminWrite',
  output: z.object({ asked: z.literal(true) }),
})
/** Differences that can be repaired together by applying our state to the panel. Unknown lines are resolved one by one. */
export const repairableKind = z.enum(['no_line', 'missing', 'end', 'connections', 'state'])
export type RepairableKind = z.output<typeof repairableKind>
export const countRepairableDrift = get('/api/admin/line-drift/counts', {
  summary: 'How many differences of each kind can be repaired together, on one panel or on all',
  access: 'admin',
  needs: 'lines.read',
  dependsOn: ['line_drift'],
  query: z.object({ panelId: z.optional(idParam) }),
  output: z.object({
    counts: z.array(z.object({ kind: repairableKind, count: z.int() })),
    /** A few of the affected customers. */
    customers: z.array(z.string()),
    /** The maximum number of differences that one request repairs; the others stay listed. */
    most: z.int(),
    /** Whether new lines and extensions cost credits on this panel. */
    costsCredits: z.boolean(),
    /** The panels with repairable differences, from which the administrator can choose one. */
    panels: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
})
export const repairLineDrift = post('/api/admin/line-drift/mend-all', {
  summary:
    'Apply our state to the panel for all differences of these kinds; refused when their number is not the expected one; audited',
  access: 'admin',
  needs: 'lines.edit',
  limit: 'adminWrite',
  body: z.object({
    kinds: z.array(repairableKind).check(z.minLength(1, 'Please choose what to repair'), z.maxLength(5)),
    /** The number of differences that the administrator saw. */
    expected: z.int().check(z.gte(0), z.lte(2147483647)),
    /** Repairs only the differences of this panel; those of all panels if omitted. */
    panelId: z.optional(z.int().check(z.gte(1), z.lte(2147483647))),
  }),
  /** `queued`: how many lines will be repaired. `left`: how many differences are left. */
  output: z.object({ queued: z.int(), left: z.int() }),
})
export const resolveLineDrift = post('/api/admin/line-drift/:driftId/mend', {
  summary:
    'Resolve a difference: apply our state to the panel, apply the panel’s state to our records, or ignore it; audited',
  access: 'admin',
  needs: 'lines.edit',
  limit: 'adminWrite',
  params: z.object({ driftId: idParam }),
  body: z.object({ way: z.enum(['ours', 'theirs', 'keep']) }),
  output: z.object({ left: z.int() }),
})
