import type { TrialRequest, TrialStatus } from './contract.ts'

/** The minimum number of days between two trial requests of a customer. */
export const daysBetweenTrials = 30

/** The trial lengths that administrators can choose, in hours. */
export const trialLengths = [24, 48] as const

export const statusNames: Record<TrialStatus, string> = { pending: 'Pending', approved: 'Approved', denied: 'Denied' }

export type TrialStage = 'pending' | 'running' | 'ended' | 'denied'
/** Returns the stage of a request at the given time. It is computed from the expiry date, because a page may stay open past the end of a trial. */
export function stageAt({ status, expiryDate }: Pick<TrialRequest, 'status' | 'expiryDate'>, now: Date): TrialStage {
  if (status !== 'approved') return status
  return expiryDate !== null && now < new Date(expiryDate) ? 'running' : 'ended'
}
