// Admin endpoints of provisioning jobs, the panel's state and the provisioning settings.
import * as z from 'zod/mini'
import { get, type Output, post, put } from '#kit/endpoint.ts'
import { listQuery } from '#kit/lists.ts'
import { idParam, instant, singleLine } from '#kit/text.ts'
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
  'move',
  'left',
])
export const jobTask = z.enum(['manual', 'rejected', 'unknown', 'tries', 'package', 'mismatch', 'gone'])

const text = z.nullable(z.string())
const job = z.object({
  id: z.int(),
  userId: z.nullable(z.int()),
  /** The customer's username. */
  username: text,
  /** The line's username or, for an orphan line, its reference on the panel. */
  line: text,
  cause: jobCause,
  invoiceNumber: text,
  state: jobState,
  step: z.nullable(z.enum(steps)),
  attempts: z.int(),
  task: z.nullable(jobTask),
  lastAnswer: text,
  /** The desired state of the line. */
  wanted: z.nullable(z.object({ enabled: z.boolean(), until: z.nullable(instant), connections: z.nullable(z.int()) })),
  createdAt: instant,
  sentAt: z.nullable(instant),
  /** When the worker next processes an open job. */
  dueAt: instant,
  finishedAt: z.nullable(instant),
})
export type LineJob = z.output<typeof job>

export const lineJobSorts = ['createdAt'] as const
/** `tasks`: jobs in any state that wait for an administrator. */
export const lineJobStatuses = ['tasks', ...jobState.options] as const
export const lineJobQuery = listQuery(lineJobSorts, { status: z.optional(z.enum(lineJobStatuses)) })
export const listLineJobs = get('/api/admin/lines', {
  summary: 'The provisioning jobs, newest first',
  access: 'admin',
  needs: 'lines.read',
  dependsOn: ['line_job'],
  paged: true,
  query: lineJobQuery,
  output: z.array(job),
})

export const getPanelStatus = get('/api/admin/line-panel', {
  summary: 'The state of the panels and of their queue',
  access: 'admin',
  needs: 'lines.read',
  dependsOn: ['line_job', 'line_drift'],
  output: z.object({
    kind: z.string(),
    /** The server URL that customers enter in their players; empty if none is set. */
    server: z.string(),
    /** Jobs that wait for an administrator. */
    tasks: z.int(),
    /** Jobs that wait for the panel. */
    waiting: z.int(),
    downSince: z.nullable(instant),
    restUntil: instant,
    lastFailure: text,
    /**
     * The state of each panel. `downSince`, `restUntil` and `lastFailure` above are those of the first panel that does not answer; if all answer, those of the
     * main panel.
     */
    panels: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        downSince: z.nullable(instant),
        restUntil: instant,
        lastFailure: text,
      }),
    ),
  }),
})
export type PanelStatus = Output<typeof getPanelStatus>

const jobId = z.object({ jobId: idParam })
const decided = z.object({ state: jobState })
export const retryLineJob = post('/api/admin/lines/:jobId/retry', {
  summary: 'Start a job over with the full number of tries; audited',
  access: 'admin',
  needs: 'lines.edit',
  limit: 'adminWrite',
  params: jobId,
  output: decided,
})
export const markLineJobDone = post('/api/admin/lines/:jobId/settle', {
  summary: 'Mark a job as done after an administrator did it in the panel; audited',
  access: 'admin',
  needs: 'lines.edit',
  limit: 'adminWrite',
  params: jobId,
  output: decided,
})
/** The credentials of a line that an administrator created. All fields are empty if none are to be stored. */
export const manualLine = z
  .object({
    username: singleLine(0, 64, ''),
    password: z
      .string()
      .check(
        z.maxLength(128, 'Please use at most 128 characters'),
        z.regex(
          /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/,
          'Please use only letters, digits, punctuation and spaces, and no space at the beginning or end',
        ),
      ),
    server: singleLine(0, 500, ''),
  })
  .check(
    z.refine<{ username: string; password: string }>(
      ({ username, password }) => (username === '') === (password === ''),
      {
        path: ['password'],
        message: 'Please enter both the username and the password, or neither',
      },
    ),
  )
export type ManualLine = z.output<typeof manualLine>
export const recordManualLine = post('/api/admin/lines/:jobId/made', {
  summary: 'Mark a manual job as done, with the line’s credentials if the customer should see them; audited',
  access: 'admin',
  needs: 'lines.edit',
  limit: 'adminWrite',
  params: jobId,
  body: manualLine,
  output: decided,
})
export const retryPanelNow = post('/api/admin/line-panel/try', {
  summary: 'End the back-off of a panel that does not answer and call it now',
  access: 'admin',
  needs: 'lines.edit',
  limit: 'adminWrite',
  output: z.object({ waiting: z.int() }),
})

const customerLine = z.object({
  username: text,
  server: text,
  lineRef: text,
  /** The name of the line’s panel; null if there is only one panel. */
  panelName: text,
  wanted: z.object({ enabled: z.boolean(), until: z.nullable(instant), connections: z.nullable(z.int()) }),
  panel: z.object({ enabled: z.nullable(z.boolean()), until: z.nullable(instant), connections: z.nullable(z.int()) }),
  seenAt: z.nullable(instant),
  jobs: z.array(job),
})
export const getCustomerLine = get('/api/admin/users/:userId/line', {
  summary: 'A customer’s line and its newest jobs; null if there is none',
  access: 'admin',
  needs: 'lines.read',
  dependsOn: ['line_job'],
  params: z.object({ userId: idParam }),
  output: z.nullable(customerLine),
})
export type CustomerLine = NonNullable<Output<typeof getCustomerLine>>

/** `keySet`: whether a key is stored. The key itself is never returned. */
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
  summary: 'The provisioning settings, without the key',
  access: 'admin',
  needs: 'settings.read',
  dependsOn: ['panel'],
  output: stored,
})
export const updateProvisioning = put('/api/admin/provisioning', {
  summary: 'Change the provisioning settings; refused when they were changed since that version',
  access: 'admin',
  needs: 'settings.edit',
  limit: 'adminWrite',
  body: z.object({ version: z.string().check(z.maxLength(64)), value: provisioningForm }),
  output: stored,
})
export const testPanel = post('/api/admin/provisioning/test', {
  summary: 'Test a panel connection and list its packages; nothing is saved',
  access: 'admin',
  needs: 'settings.edit',
  limit: 'adminWrite',
  body: z
    .object({
      ...connectionFields,
      /** The panel whose stored key is used if none is entered; the main panel if omitted. */
      panelId: z.optional(z.int().check(z.gte(1), z.lte(2147483647))),
    })
    .check(withAddress, withUsername),
  output: z.object({
    ok: z.boolean(),
    /** The result to show: the account on the panel, or the error. */
    message: z.string(),
    packages: z.array(panelPackage),
    /** Why the packages could not be listed; empty otherwise. */
    packagesMessage: z.string(),
  }),
})
