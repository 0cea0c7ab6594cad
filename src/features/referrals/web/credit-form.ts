import * as z from 'zod/mini'
import { singleLine } from '#kit/text.ts'
import { parseDollars } from '#kit/typed-money.ts'
import { invalidAmountMessage, shortReasonMessage } from '../rules.ts'

/** The form values: the direction, and the amount in dollars as typed. */
export const creditForm = z.object({
  direction: z.enum(['add', 'take']),
  dollars: z.string().check(z.refine((typed) => inRange(parseDollars(typed)), invalidAmountMessage)),
  reason: singleLine(4, 200, shortReasonMessage),
})

const inRange = (cents: number | null): boolean => cents !== null && cents > 0 && cents <= 10_000_000

/** Returns the amount in signed cents; undefined while the typed amount is invalid. */
export function amountOf({ direction, dollars }: { direction: string; dollars: string }): number | undefined {
  const cents = parseDollars(dollars)
  if (cents === null || !inRange(cents)) return undefined
  return direction === 'take' ? -cents : cents
}
