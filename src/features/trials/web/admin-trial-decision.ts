import * as z from 'zod/mini'
import { type AdminTrialRequest, trialDecision } from '../admin-contract.ts'
import { trialStatus } from '../contract.ts'

/** The form values: text as typed, and the expiry date as a `datetime-local` value in the browser's time zone. */
export const trialFields = z.object({
  status: trialStatus,
  trialUsername: z.string(),
  trialPassword: z.string(),
  trialServer: z.string(),
  expiryDate: z.string(),
  adminNotes: z.string(),
})
export type TrialFields = z.output<typeof trialFields>

/** Returns the local time in the form `2026-09-02T18:30`, rounded up to the minute. */
export function localMinute(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const at = new Date(Math.ceil(moment.getTime() / 60_000) * 60_000)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Returns the initial form values. */
export const initialValues = (request: AdminTrialRequest): TrialFields => ({
  status: request.status,
  trialUsername: request.trialUsername ?? '',
  trialPassword: request.trialPassword ?? '',
  trialServer: request.trialServer ?? '',
  expiryDate: request.expiryDate ? localMinute(new Date(request.expiryDate)) : '',
  adminNotes: request.adminNotes ?? '',
})

/** Returns a schema that converts the form values to a `TrialDecision` and validates it. An unchanged expiry date keeps its seconds. */
export const decisionForm = (request: AdminTrialRequest) =>
  z.pipe(
    z.pipe(
      trialFields,
      z.transform(
        (fields: TrialFields): z.input<typeof trialDecision> => ({
          ...fields,
          expiryDate: expiryToSend(fields.expiryDate, request),
        }),
      ),
    ),
    trialDecision,
  )

function expiryToSend(typed: string, request: AdminTrialRequest): string {
  if (request.expiryDate && typed === initialValues(request).expiryDate) return request.expiryDate
  const moment = new Date(typed)
  return Number.isNaN(moment.getTime()) ? typed : moment.toISOString()
}
