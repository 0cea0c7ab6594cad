import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { id, instant } from '#kit/text.ts'

/** A period of paid time on one plan. */
export const paidTime = z.object({
  planId: id,
  planName: z.string(),
  connections: z.int(),
  startsAt: instant,
  endsAt: instant,
})
export type PaidTime = z.output<typeof paidTime>
export const listPaidTime = get('/api/paid-time', {
  summary: 'The remaining paid time of the customer, by plan',
  access: 'member',
  dependsOn: ['subscription'],
  output: z.array(paidTime),
})
