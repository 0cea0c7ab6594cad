import type { TrialRequest } from './contract.ts'

/** How often somebody may ask. */
export const daysBetweenTrials = 30

export type TrialStage = 'pending' | 'running' | 'ended' | 'denied'
/** What a request has come to. A page may stay open past the end of a trial, so the end counts, not only what was loaded. */
export function stageAt({ status, expiryDate }: Pick<TrialRequest, 'status' | 'expiryDate'>, now: Date): TrialStage {
  if (status !== 'approved') return status
  return expiryDate !== null && now < new Date(expiryDate) ? 'running' : 'ended'
}
