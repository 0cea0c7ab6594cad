// What only administrators say about lines.
import * as z from 'zod/mini'
import { get, type Output, post, put } from '#kit/endpoint.ts'
import { listQuery } from '#kit/lists.ts'
import { idText, instant, line } from '#kit/text.ts'
import { connectionFields, provisioningForm, withAddress, withUsername } from './contract.ts'
import { steps } from './rules.ts'

export const jobState = z.enum(['queued', 'sent', 'done', 'rejected', 'unknown'])
export type JobState = z.output<typeof jobState>
export const jobCause = z.enum([
  'purchase',
  'plan_change',
  'grant',
  'undo',
  'segment',
  'end',
  'trial',
  'trial_change',
  'repair',
  'stray',
])
export const jobTask = z.enum(['manual', 'rejected', 'unknown', 'tries', 'package', 'mismatch', 'gone'])

const text = z.nullable(z.string())
const job = z.object({
  id: z.int(),
  userId: z.nullable(z.int()),
  /** Of the customer. */
  username: text,
  /** Of the line. */
  line: text,
  cause: jobCause,
  invoiceNumber: text,
  state: jobState,
  step: z.nullable(z.enum(steps)),
  attempts: z.int(),
  task: z.nullable(jobTask),
  lastAnswer: text,
  /** What the line should be now. */
  wanted: z.nullable(z.object({ enabled: z.boolean(), until: z.nullable(instant), connections: z.nullable(z.int()) })),
  createdAt: instant,
  sentAt: z.nullable(instant),
  /** When an open job is looked at (again). */
  dueAt: instant,
  finishedAt: z.nullable(instant),
})
export type LineJob = z.output<typeof job>

export const lineJobSorts = ['createdAt'] as const
/** `tasks`: what waits for an administrator, whatever its state. */
export const lineJobStatuses = ['tasks', ...jobState.options] as const
export const lineJobQuery = listQuery(lineJobSorts, { status: z.optional(z.enum(lineJobStatuses)) })
export const listLineJobs = get('/api/admin/lines', {
  summary: 'What was and has to be done about lines, newest first',
  access: 'admin',
  paged: true,
  query: lineJobQuery,
  output: z.array(job),
})

export const getPanelStatus = get('/api/admin/line-panel', {
  summary: 'How the panel and its queue are',
  access: 'admin',
  output: z.object({
    kind: z.string(),
    /** What customers enter in their players, where it is set. */
    server: z.string(),
    /** Jobs that wait for an administrator. */
    tasks: z.int(),
    /** Jobs that wait for the panel. */
    waiting: z.int(),
    downSince: z.nullable(instant),
    restUntil: instant,
    lastFailure: text,
  }),
})
export type PanelStatus = Output<typeof getPanelStatus>

const jobId = z.object({ jobId: idText })
const decided = z.object({ state: jobState })
export const retryLineJob = post('/api/admin/lines/:jobId/retry', {
  summary: 'Look at a line again, with all tries; audited',
  access: 'admin',
  limit: 'adminWrite',
  params: jobId,
  output: decided,
})
export const markLineJobDone = post('/api/admin/lines/:jobId/settle', {
  summary: 'Mark as done what was done in the panel; audited',
  access: 'admin',
  limit: 'adminWrite',
  params: jobId,
  output: decided,
})
/** A line made by hand: all empty where the customer has it already. */
export const manualLine = z
  .object({
    username: line(0, 64, ''),
    password: z
      .string()
      .check(
        z.maxLength(128, 'Please use at most 128 characters'),
        z.regex(/^[\x21-\x7e]*$/, 'Please use letters, digits and signs only, without spaces'),
      ),
    server: line(0, 500, ''),
  })
  .check(
    z.refine<{ username: string; password: string }>(
      ({ username, password }) => (username === '') === (password === ''),
      {
        path: ['password'],
        message: 'Please enter both the user name and the password, or neither',
      },
    ),
  )
export type ManualLine = z.output<typeof manualLine>
export const recordManualLine = post('/api/admin/lines/:jobId/made', {
  summary:
    'Mark as done what was done by hand, with the line’s credentials where there are any to tell its customer; audited',
  access: 'admin',
  limit: 'adminWrite',
  params: jobId,
  body: manualLine,
  output: decided,
})
export const retryPanelNow = post('/api/admin/line-panel/try', {
  summary: 'Ask a panel now that is left alone for a while',
  access: 'admin',
  limit: 'adminWrite',
  output: z.object({ waiting: z.int() }),
})

const customerLine = z.object({
  username: text,
  server: text,
  lineRef: text,
  wanted: z.object({ enabled: z.boolean(), until: z.nullable(instant), connections: z.nullable(z.int()) }),
  panel: z.object({ enabled: z.nullable(z.boolean()), until: z.nullable(instant), connections: z.nullable(z.int()) }),
  seenAt: z.nullable(instant),
  jobs: z.array(job),
})
export const getCustomerLine = get('/api/admin/users/:userId/line', {
  summary: 'A customer’s line and the newest jobs about it; null where there is none',
  access: 'admin',
  params: z.object({ userId: idText }),
  output: z.nullable(customerLine),
})
export type CustomerLine = NonNullable<Output<typeof getCustomerLine>>

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
  ours: facts,
  theirs: facts,
  /** Whether our books can be made as the panel says. */
  canTakeTheirs: z.boolean(),
})
export type LineDrift = z.output<typeof drift>
export const listLineDrift = get('/api/admin/line-drift', {
  summary: 'Where the panel and our books differed when they were last compared',
  access: 'admin',
  output: z.object({
    checkedAt: z.nullable(instant),
    /** Set while a comparison waits for its turn. */
    askedAt: z.nullable(instant),
    note: text,
    open: z.int(),
    kept: z.int(),
    rows: z.array(drift),
  }),
})
export type LineDriftList = Output<typeof listLineDrift>
export const compareLines = post('/api/admin/line-drift/check', {
  summary: 'Compare our books with the panel now; audited',
  access: 'admin',
  limit: 'adminWrite',
  output: z.object({ asked: z.literal(true) }),
})
/** Differences that can be mended together by making the panel as our records say. Unknown lines are decided one by one. */
export const repairableKind = z.enum(['no_line', 'missing', 'end', 'connections', 'state'])
export type RepairableKind = z.output<typeof repairableKind>
export const countRepairableDrift = get('/api/admin/line-drift/counts', {
  summary: 'How many differences of each kind can be mended together',
  access: 'admin',
  output: z.object({
    counts: z.array(z.object({ kind: repairableKind, count: z.int() })),
    /** A few of the customers concerned. */
    customers: z.array(z.string()),
    /** How many one request mends; the rest stays listed. */
    most: z.int(),
    /** Whether new lines and extensions cost credits on this panel. */
    costsCredits: z.boolean(),
  }),
})
export const repairLineDrift = post('/api/admin/line-drift/mend-all', {
  summary:
    'Make the panel as our records say for all differences of these kinds; refused when they are not as many as expected; audited',
  access: 'admin',
  limit: 'adminWrite',
  body: z.object({
    kinds: z.array(repairableKind).check(z.minLength(1, 'Please choose what to repair'), z.maxLength(5)),
    /** How many were shown. */
    expected: z.int().check(z.gte(0), z.lte(2147483647)),
  }),
  output: z.object({ queued: z.int(), left: z.int() }),
})
export const resolveLineDrift = post('/api/admin/line-drift/:driftId/mend', {
  summary: 'Mend a difference: the panel as our books say, our books as the panel says, or leave it; audited',
  access: 'admin',
  limit: 'adminWrite',
  params: z.object({ driftId: idText }),
  body: z.object({ way: z.enum(['ours', 'theirs', 'keep']) }),
  output: z.object({ left: z.int() }),
})

/** `keySet`: a key is kept. What it is, nobody is told. */
const stored = z.object({ version: z.string(), value: provisioningForm, keySet: z.boolean() })
const panelPackage = z.object({
  packageRef: z.string(),
  name: z.string(),
  connections: z.nullable(z.number()),
  hours: z.nullable(z.number()),
  credits: z.nullable(z.number()),
  trial: z.boolean(),
})
export type ListedPackage = z.output<typeof panelPackage>

export const getProvisioning = get('/api/admin/provisioning', {
  summary: 'How lines are made; never the key',
  access: 'admin',
  output: stored,
})
export const updateProvisioning = put('/api/admin/provisioning', {
  summary: 'Set how lines are made; refused when it was changed since that version',
  access: 'admin',
  limit: 'adminWrite',
  body: z.object({ version: z.string().check(z.maxLength(64)), value: provisioningForm }),
  output: stored,
})
export const testPanel = post('/api/admin/provisioning/test', {
  summary: 'Ask a panel for its credits and packages; nothing is saved',
  access: 'admin',
  limit: 'adminWrite',
  body: z.object(connectionFields).check(withAddress, withUsername),
  output: z.object({
    ok: z.boolean(),
    /** What is to be read: that it works and as whom, or what is wrong. */
    message: z.string(),
    packages: z.array(panelPackage),
    /** Why there are none to choose from; empty when there are, or when nothing could be asked. */
    packagesMessage: z.string(),
  }),
})
