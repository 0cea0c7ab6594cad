import * as z from 'zod/mini'
import { singleLine } from '#kit/text.ts'
import { parseDollars } from '#kit/typed-money.ts'
import { rails } from '../rules.ts'

/** The form values: the amount in dollars and the local time as typed. */
export const recordPaymentForm = z.object({
  rail: z.enum(rails),
  dollars: z.string().check(
    z.refine((typed) => {
      const cents = parseDollars(typed)
      return cents !== null && cents > 0 && cents <= 100_000_000
    }, 'Please enter an amount such as 24.99'),
  ),
  payerName: singleLine(0, 200, ''),
  payerHandle: singleLine(0, 120, ''),
  note: singleLine(0, 500, ''),
  paidAt: z.string().check(z.refine((typed) => !Number.isNaN(Date.parse(typed)), 'Please enter the date and time')),
  providerReference: singleLine(0, 120, ''),
})
