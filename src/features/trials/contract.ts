import * as z from 'zod/mini'
import { get, post, put } from '#kit/endpoint.ts'
import { id, idText, instant, line, paragraph } from '#kit/text.ts'

export const trialStatus = z.enum(['pending', 'approved', 'denied'])
export type TrialStatus = z.output<typeof trialStatus>

const text = z.nullable(z.string())
/** A request as its owner sees it: the credentials only while an approved trial runs, the notes only when it was denied. */
export const trialRequest = z.object({
  id,
  userId: id,
  requestDate: instant,
  status: trialStatus,
  device: z.string(),
  message: z.string(),
  responseDate: z.nullable(instant),
  trialUsername: text,
  trialPassword: text,
  trialServer: text,
  expiryDate: z.nullable(instant),
  adminNotes: text,
})
export type TrialRequest = z.output<typeof trialRequest>

export const trialForm = z.object({
  device: line(3, 120, "Please specify what device you'll use for the trial"),
  message: paragraph(10, 2000, 'Please provide some details about why you want a trial'),
})

export const listTrialRequests = get('/api/trial-requests', {
  summary: 'Own trial requests, newest first',
  access: 'member',
  output: z.array(trialRequest),
})
export const createTrialRequest = post('/api/trial-requests', {
  summary: 'Ask for a free trial',
  access: 'member',
  limit: 'trial',
  body: trialForm,
  output: trialRequest,
})

/** `sameMailbox` names other accounts with the same mailbox behind their address that asked for a trial too. */
export const adminTrialRequest = z.extend(trialRequest, {
  adminId: z.nullable(id),
  user: z.object({ username: z.string(), email: z.string() }),
  sameMailbox: z.array(z.string()),
})
export type AdminTrialRequest = z.output<typeof adminTrialRequest>

export const trialSorts = ['requestDate', 'status'] as const
export const trialListQuery = z.object({
  page: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(1_000_000))),
  pageSize: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(1), z.lte(500))),
  sort: z.optional(z.enum(trialSorts)),
  order: z.optional(z.enum(['asc', 'desc'])),
  search: z.optional(line(0, 254, '')),
  status: z.optional(trialStatus),
})
export const listAllTrialRequests = get('/api/admin/trial-requests', {
  summary: 'Trial requests of all customers, newest first',
  access: 'admin',
  paged: true,
  query: trialListQuery,
  output: z.array(adminTrialRequest),
})

const emptyOr = <T extends z.core.$ZodType<string, string>>(schema: T) => z.optional(z.nullable(z.union([z.literal(''), schema])))
const moment = z.iso
  .datetime({ offset: true, error: 'Please enter a valid date' })
  .check(z.refine((value) => value >= '2000' && value < '2101', 'Please enter a valid date'))
const neededToApprove = ['trialUsername', 'trialPassword', 'trialServer', 'expiryDate'] as const
/** Left out a field stays as it is, empty or null clears it; what an approval needs has to be said with it. */
export const trialDecision = z
  .object({
    status: trialStatus,
    trialUsername: emptyOr(line(1, 120, '')),
    trialPassword: emptyOr(line(1, 120, '')),
    trialServer: emptyOr(line(1, 300, '')),
    adminNotes: emptyOr(paragraph(1, 2000, '')),
    expiryDate: emptyOr(moment),
  })
  .check(({ value, issues }) => {
    const missing = value.status === 'approved' ? neededToApprove.find((field) => !value[field]) : undefined
    const message = 'Trial credentials and expiry date are required when approving a request'
    if (missing) issues.push({ code: 'custom', path: [missing], message, input: value })
  })
export type TrialDecision = z.output<typeof trialDecision>

export const updateTrialRequest = put('/api/admin/trial-requests/:trialRequestId', {
  summary: 'Approve, deny or reopen a trial request',
  access: 'admin',
  limit: 'adminWrite',
  params: z.object({ trialRequestId: idText }),
  body: trialDecision,
  output: adminTrialRequest,
})
