import type { NextStep } from './contract.ts'

/** From this many days before the end of the paid time, a renewal is suggested. */
export const renewalDays = 14
export const putOffDays = 7

interface Facts {
  isRunning: boolean
  /** Days until the paid time ends; null if it does not end. */
  daysLeft: number | null
  unusedScreens: number
  /** The steps that are currently put off. */
  putOff: readonly string[]
}

/** What a subscriber could do next: the more urgent one first, and one at a time. */
export function nextStepOf({ isRunning, daysLeft, unusedScreens, putOff }: Facts): NextStep | null {
  if (!isRunning) return null
  const steps: NextStep[] = [
    ...(daysLeft !== null && daysLeft < renewalDays ? (['renew'] as const) : []),
    ...(unusedScreens > 0 ? (['device'] as const) : []),
  ]
  return steps.find((step) => !putOff.includes(step)) ?? null
}
