// Admin endpoints of runs that move all lines of a panel to another one.
import * as z from 'zod/mini'
import { get, type Output, post } from '#kit/endpoint.ts'
import { idParam, instant } from '#kit/text.ts'

const panel = z.object({ id: z.int(), name: z.string() })
const id = z.int().check(z.gte(1), z.lte(2147483647))
const write = { access: 'admin', needs: 'lines.edit', limit: 'adminWrite' } as const

const run = z.object({
  id: z.int(),
  from: panel,
  to: panel,
  state: z.enum(['running', 'stopped', 'done']),
  /** `back`: the moved lines return to the panel that they came from. */
  direction: z.enum(['there', 'back']),
  /** How many lines the run has. The fields below count them by state. */
  total: z.int(),
  waiting: z.int(),
  /** Lines whose job is queued or in progress. */
  underway: z.int(),
  /** Lines whose job waits for an administrator, or was marked as done without a move. */
  problems: z.int(),
  moved: z.int(),
  returned: z.int(),
  /** Lines that were on another panel, or whose customer was deleted, when they were about to be moved. */
  skipped: z.int(),
  /** The administrator who started the run. */
  by: z.nullable(z.string()),
  createdAt: instant,
  endedAt: z.nullable(instant),
})
export type MoveRun = z.output<typeof run>

export const listMoveRuns = get('/api/admin/line-moves', {
  summary: 'The newest runs that move the lines of a panel, with their progress',
  access: 'admin',
  needs: 'lines.read',
  dependsOn: ['line_job', 'panel'],
  output: z.object({
    /** All panels that lines can be moved from or to. */
    panels: z.array(z.object({ ...panel.shape, lines: z.int(), acceptsLines: z.boolean() })),
    runs: z.array(run),
  }),
})
export const previewMove = get('/api/admin/line-moves/preview', {
  summary: 'What moving all lines of a panel would do; changes nothing',
  access: 'admin',
  needs: 'lines.read',
  dependsOn: ['line_job', 'panel'],
  query: z.object({ from: idParam, to: idParam }),
  output: z.object({
    lines: z.int(),
    /** How many of these lines are enabled; the others are created on the new panel when their customers pay again. */
    enabled: z.int(),
    /** How many enabled lines each plan has; `name` is null for trials. `hasPackage`: the new panel has a package for the plan. */
    plans: z.array(z.object({ name: z.nullable(z.string()), count: z.int(), hasPackage: z.boolean() })),
    /** A few of the affected customers. */
    customers: z.array(z.string()),
    /** Whether customers have to enter another server. If so, all of them are emailed. */
    serverChanges: z.boolean(),
    /** Whether the new panel sells periods: each new line costs credits. */
    costsCredits: z.boolean(),
  }),
})
export type MovePreview = Output<typeof previewMove>
export const startMove = post('/api/admin/line-moves', {
  summary: 'Move all lines of a panel to another one; refused when their number is not the expected one; audited',
  ...write,
  body: z.object({ from: id, to: id, expected: z.int().check(z.gte(0), z.lte(2147483647)) }),
  output: z.object({ id: z.int() }),
})
export const changeMove = post('/api/admin/line-moves/:runId/:change', {
  summary: 'Stop a run, continue it, or move its lines back; audited',
  ...write,
  params: z.object({ runId: idParam, change: z.enum(['stop', 'continue', 'back']) }),
  output: z.object({ state: run.shape.state }),
})
