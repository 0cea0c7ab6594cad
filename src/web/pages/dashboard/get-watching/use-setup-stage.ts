import { useSuspenseQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { getOwnLine } from '#features/provisioning/contract.ts'
import { getOwnSubscription } from '#features/subscriptions/contract.ts'
import { isRunning } from '#features/subscriptions/running-rules.ts'
import { query } from '#web/data.ts'
import { type Stage, stageOf } from './stage.ts'

/** Returns the stage of the guided setup of the logged-in customer; null if there is nothing to set up. */
export function useSetupStage(): Stage | null {
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: subscription } = useSuspenseQuery(query(getOwnSubscription))
  const { data: line } = useSuspenseQuery(query(getOwnLine))
  if (!user) return null
  const { payment } = subscription
  return stageOf({ running: isRunning(user, new Date()), payment, line, synced: user.iptvSynced })
}
