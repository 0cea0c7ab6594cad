import * as z from 'zod/mini'
import type { UserRow } from '#features/accounts/admin-contract.ts'
import type { Plan } from '#features/catalog/contract.ts'
import { addMonths } from '#kit/dates.ts'
import type { Input } from '#kit/endpoint.ts'
import type { updateSubscription } from '../admin-contract.ts'
import { grantProblem, noDateMessage, type SubscriptionState, stateAfterGrant } from '../rules.ts'

/** The select value for "No Plan", which is null in requests. */
export const noPlan = 'none'

/** The form values. Dates are yyyy-MM-dd, or empty for no date. */
export interface SubscriptionForm {
  planId: string
  status: SubscriptionState['status']
  startDate: string
  endDate: string
}

export const stateOf = (user: UserRow): SubscriptionState => ({
  planId: user.planId,
  status: user.subscriptionStatus,
  startDate: user.subscriptionStartDate,
  endDate: user.subscriptionEndDate,
  maxConnections: user.iptvMaxConnections,
})

const day = (moment: string | null): string => moment?.slice(0, 10) ?? ''
export const initialValues = ({ planId, status, startDate, endDate }: SubscriptionState): SubscriptionForm => ({
  planId: planId === null ? noPlan : String(planId),
  status,
  startDate: day(startDate),
  endDate: day(endDate),
})

const planIdIn = ({ planId }: SubscriptionForm): number | null => (planId === noPlan ? null : Number(planId))

const fields = ['planId', 'status', 'startDate', 'endDate'] as const
/** Whether the form still has the values that were displayed first. */
export const isUnchanged = (shown: SubscriptionState, form: SubscriptionForm): boolean => {
  const start = initialValues(shown)
  return fields.every((field) => start[field] === form[field])
}

export const subscriptionForm = (shown: SubscriptionState) =>
  z
    .object({
      planId: z.string(),
      status: z.enum(['active', 'pending', 'expired', 'cancelled', 'none']),
      startDate: z.string(),
      endDate: z.string(),
    })
    .check(({ value, issues }) => {
      const addIssue = (path: string, message: string) =>
        issues.push({ code: 'custom', path: [path], message, input: value })
      const wrong = (['startDate', 'endDate'] as const).filter(
        (field) => value[field] !== '' && !z.safeParse(z.iso.date(), value[field]).success,
      )
      for (const field of wrong) addIssue(field, noDateMessage)
      if (wrong.length > 0 || isUnchanged(shown, value)) return
      const now = new Date().toISOString()
      const problem = grantProblem(stateAfterGrant(shown, { ...value, planId: planIdIn(value) }, null, now), now)
      if (problem) addIssue(problem.path, problem.message)
    })

/** Returns the request body, including the displayed state. */
export const requestBody = (
  shown: SubscriptionState,
  form: SubscriptionForm,
): Input<typeof updateSubscription>['body'] => ({
  ...form,
  planId: planIdIn(form),
  expected: { planId: shown.planId, status: shown.status, startDate: shown.startDate, endDate: shown.endDate },
})

/** Returns the form values for one full period of a plan, starting today. */
export function onePeriod(plan: Plan, today: Date): SubscriptionForm {
  const now = today.toISOString()
  return { planId: String(plan.id), status: 'active', startDate: day(now), endDate: day(addMonths(now, plan.months)) }
}
