import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'
import { id, instant, paragraph, singleLine } from '#kit/text.ts'

export const trialStatus = z.enum(['pending', 'approved', 'denied'])
export type TrialStatus = z.output<typeof trialStatus>

const nullableText = z.nullable(z.string())
/** A trial request as its owner sees it: with credentials only while an approved trial is active, and with notes only if the request was denied. */
export const trialRequest = z.object({
  id,
  userId: id,
  requestDate: instant,
  status: trialStatus,
  device: z.string(),
  message: z.string(),
  responseDate: z.nullable(instant),
  trialUsername: nullableText,
  trialPassword: nullableText,
  trialServer: nullableText,
  expiryDate: z.nullable(instant),
  adminNotes: nullableText,
})
export type TrialRequest = z.output<typeof trialRequest>

export const trialForm = z.object({
  device: singleLine(3, 120, "Please specify what device you'll use for the trial"),
  message: paragraph(10, 2000, 'Please provide some details about why you want a trial'),
})

export const listTrialRequests = get('/api/trial-requests', {
  summary: "The user's trial requests, newest first",
  access: 'member',
  dependsOn: ['trial_request'],
  output: z.array(trialRequest),
})
export const createTrialRequest = post('/api/trial-requests', {
  summary: 'Request a free trial',
  access: 'member',
  limit: 'trial',
  body: trialForm,
  output: trialRequest,
})
