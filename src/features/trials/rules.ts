import type { TrialRequest, TrialStatus } from './contract.ts'

/** How often somebody may ask. */
export const daysBetweenTrials = 30

/** Lengths an administrator is offered, in hours: "trials typically last 24-48 hours". */
export const trialLengths = [24, 48] as const

export const statusNames: Record<TrialStatus, string> = { pending: 'Pending', approved: 'Approved', denied: 'Denied' }

export type TrialStage = 'pending' | 'running' | 'ended' | 'denied'
/** What a request has come to. A page may stay open past the end of a trial, so the end counts, not only what was loaded. */
export function stageAt({ status, expiryDate }: Pick<TrialRequest, 'status' | 'expiryDate'>, now: Date): TrialStage {
  if (status !== 'approved') return status
  return expiryDate !== null && now < new Date(expiryDate) ? 'running' : 'ended'
}
