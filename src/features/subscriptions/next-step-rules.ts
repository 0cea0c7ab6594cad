import type { Instant } from '#kit/dates.ts'
import type { NextStep } from './contract.ts'
import { isRunning, type SubscriptionFields } from './running-rules.ts'

/** How many days before the end of the paid time a renewal is suggested. */
export const renewalDays = 14
export const putOffDays = 7

type Facts = SubscriptionFields & {
  /** The connections of the plan; 0 without a plan. */
  connections: number
  /** How many screens the customer has used; null if this is not known. */
  usedScreens: number | null
  /** Until when each step is put off. */
  putOffSteps: Record<string, Instant>
}

/** Returns the most urgent step that a subscriber could take at `now`, and how many screens of the plan have never been used. */
export function nextStepAt(now: Date, facts: Facts): { nextStep: NextStep | null; unusedScreens: number } {
  const { subscriptionEndDate: end, connections, usedScreens, putOffSteps } = facts
  const unusedScreens = usedScreens === null ? 0 : Math.max(0, connections - usedScreens)
  if (!isRunning(facts, now)) return { nextStep: null, unusedScreens }
  const endsSoon = end !== null && Date.parse(end) - now.getTime() < renewalDays * 86_400_000
  const steps: NextStep[] = [
    ...(endsSoon ? (['renew'] as const) : []),
    ...(unusedScreens > 0 ? (['device'] as const) : []),
  ]
  const isPutOff = (step: NextStep) => now < new Date(putOffSteps[step] ?? 0)
  return { nextStep: steps.find((step) => !isPutOff(step)) ?? null, unusedScreens }
}
