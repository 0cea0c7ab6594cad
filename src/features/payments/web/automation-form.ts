import * as z from 'zod/mini'
import { parseDollars } from '#kit/typed-money.ts'
import { type Automation, automationChange } from '../admin-automation-contract.ts'

const dollars = (most: number, message: string) =>
  z.string().check(
    z.refine((typed) => {
      const cents = parseDollars(typed)
      return cents !== null && cents > 0 && cents <= most
    }, message),
  )
const count = (most: number) =>
  z
    .string()
    .check(
      z.refine(
        (typed) => /^\d{1,6}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= most,
        `Please enter a number from 1 to ${most}`,
      ),
    )

/** The form values: amounts in dollars and numbers, as typed. */
export const automationForm = z.object({
  mode: automationChange.shape.mode,
  rails: automationChange.shape.rails,
  maxDollars: dollars(100_000_000, 'Please enter an amount such as 100.00'),
  perDay: count(100_000),
  perDayDollars: dollars(1_000_000_000, 'Please enter an amount such as 2,500.00'),
  perPayerDay: count(100),
  perCustomerDay: count(100),
  currentPassword: z.optional(z.string()),
  code: automationChange.shape.code,
})

const typed = (cents: number) => (cents / 100).toFixed(2)
export const formValues = (automation: Automation): z.input<typeof automationForm> => ({
  mode: automation.mode,
  rails: automation.rails,
  maxDollars: typed(automation.maxCents),
  perDay: String(automation.perDay),
  perDayDollars: typed(automation.perDayCents),
  perPayerDay: String(automation.perPayerDay),
  perCustomerDay: String(automation.perCustomerDay),
  currentPassword: '',
  code: '',
})

/** Converts the form values to a request. The password is only sent if it is required. */
export const changeOf = (
  { maxDollars, perDayDollars, currentPassword, code, ...values }: z.output<typeof automationForm>,
  version: number,
): z.input<typeof automationChange> => ({
  ...values,
  version,
  maxCents: parseDollars(maxDollars)!,
  perDayCents: parseDollars(perDayDollars)!,
  perDay: Number(values.perDay),
  perPayerDay: Number(values.perPayerDay),
  perCustomerDay: Number(values.perCustomerDay),
  ...(values.mode === 'on' && { currentPassword, ...(code && { code }) }),
})
