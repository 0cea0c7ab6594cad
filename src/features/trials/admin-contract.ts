// Admin endpoints for trial requests.
import * as z from 'zod/mini'
import { get, post, put } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { id, idParam, instant, paragraph, rowVersion, singleLine } from '#kit/text.ts'
import { trialRequest, trialStatus } from './contract.ts'

/** Another trial request by the same customer, or by an account with the same mailbox. */
export const relatedRequest = z.object({ id, username: z.string(), status: trialStatus, requestDate: instant })
/**
 * A trial request for administrators. `sameMailbox`: the usernames of other accounts with the same mailbox that requested a trial. `related`: the
 * requests of those accounts and the other requests of this customer, newest first.
 */
export const adminTrialRequest = z.extend(trialRequest, {
  adminId: z.nullable(id),
  adminUsername: z.nullable(z.string()),
  user: z.object({ username: z.string(), email: z.string() }),
  sameMailbox: z.array(z.string()),
  related: z.array(relatedRequest),
  version: rowVersion,
})
export type AdminTrialRequest = z.output<typeof adminTrialRequest>

export const trialSorts = ['requestDate', 'status'] as const
export const trialListQuery = listQuery(trialSorts, { status: z.optional(trialStatus) })
export const listAllTrialRequests = get('/api/admin/trial-requests', {
  summary: 'Trial requests of all customers, newest first',
  access: 'admin',
  needs: 'trials.read',
  dependsOn: ['trial_request'],
  paged: true,
  query: trialListQuery,
  output: z.array(adminTrialRequest),
})
export const exportTrialRequests = csvOf('/admin/trial-requests.csv', {
  needs: 'trials.read',
  summary: 'Trial requests of all customers as CSV',
  query: trialListQuery,
})

const emptyOr = <T extends z.core.$ZodType<string, string>>(schema: T) =>
  z.optional(z.nullable(z.union([z.literal(''), schema])))
const expiry = z.iso
  .datetime({ offset: true, error: 'Please enter a valid date' })
  .check(z.refine((value) => value >= '2000' && value < '2101', 'Please enter a valid date'))
const requiredToApprove = ['trialUsername', 'trialPassword', 'trialServer', 'expiryDate'] as const
/** An omitted field stays unchanged; an empty string or null clears it. An approval must include the credentials and the expiry date. */
export const trialDecision = z
  .object({
    status: trialStatus,
    trialUsername: emptyOr(singleLine(1, 120, '')),
    trialPassword: emptyOr(singleLine(1, 120, '')),
    trialServer: emptyOr(singleLine(1, 300, '')),
    adminNotes: emptyOr(paragraph(1, 2000, '')),
    expiryDate: emptyOr(expiry),
    /** The version that the dialog displayed. The decision is refused if the request has changed since then. */
    version: z.optional(rowVersion),
  })
  .check(({ value, issues }) => {
    const missing = value.status === 'approved' ? requiredToApprove.filter((field) => !value[field]) : []
    const message = 'Trial credentials and expiry date are required when approving a request'
    for (const field of missing) issues.push({ code: 'custom', path: [field], message, input: value })
    if (value.status === 'denied' && !value.adminNotes)
      issues.push({
        code: 'custom',
        path: ['adminNotes'],
        message: 'Please tell the customer why the request is denied',
        input: value,
      })
  })
export type TrialDecision = z.output<typeof trialDecision>

export const updateTrialRequest = put('/api/admin/trial-requests/:trialRequestId', {
  summary: 'Approve, deny or reopen a trial request',
  access: 'admin',
  needs: 'trials.decide',
  limit: 'adminWrite',
  params: z.object({ trialRequestId: idParam }),
  body: trialDecision,
  output: adminTrialRequest,
})

/** The line that the panel creates for a trial. `stuck`: an administrator has to complete a task on the Lines page. */
const trialLine = z.object({
  isAvailable: z.boolean(),
  state: z.enum(['none', 'waiting', 'ready', 'stuck']),
  username: z.nullable(z.string()),
  password: z.nullable(z.string()),
  server: z.nullable(z.string()),
  expiryDate: z.nullable(instant),
  message: z.nullable(z.string()),
})
export type TrialLine = z.output<typeof trialLine>
const requestParams = z.object({ trialRequestId: idParam })
export const getTrialLine = get('/api/admin/trial-requests/:trialRequestId/line', {
  summary: 'The state of the line for a trial request, with its credentials',
  access: 'admin',
  // Not `trials.read`: the response contains the password of the line.
  needs: 'trials.decide',
  dependsOn: ['line_job'],
  params: requestParams,
  output: trialLine,
})
export const createTrialLine = post('/api/admin/trial-requests/:trialRequestId/line', {
  summary: 'Create a line on the panel for a trial request; the request itself does not change',
  access: 'admin',
  needs: 'trials.decide',
  limit: 'adminWrite',
  params: requestParams,
  body: z.object({
    hours: z._default(
      z
        .int('Please enter the number of hours')
        .check(z.gte(1, 'Please enter 1 to 168 hours'), z.lte(168, 'Please enter 1 to 168 hours')),
      24,
    ),
    /** Whether the administrator has acknowledged the recent trial of this customer or mailbox. */
    acknowledge: z._default(z.boolean(), false),
  }),
  output: trialLine,
})
