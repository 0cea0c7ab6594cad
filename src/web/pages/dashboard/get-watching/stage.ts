import type { OwnLine } from '#features/provisioning/contract.ts'
import type { OwnSubscription } from '#features/subscriptions/contract.ts'

/** How far a customer has come between paying and watching. */
export type Stage = 'checking' | 'creating' | 'manual' | 'ready'

interface Facts {
  /** Whether paid time is running. */
  running: boolean
  payment: OwnSubscription['payment']
  line: OwnLine | null
  /** Whether the customer entered credentials under IPTV Account, or a line became their account. */
  synced: boolean
}

/** Returns the stage of the guided setup; null if there is nothing to set up. */
export function stageOf({ running, payment, line, synced }: Facts): Stage | null {
  const onTrial = line?.trial === true && line.state !== 'paused'
  if (!running && !onTrial) return payment && !payment.isConfirmed ? 'checking' : null
  if (line === null) return synced ? null : 'manual'
  if (line.username === null) return synced ? null : line.state === 'manual' ? 'manual' : 'creating'
  return line.used ? null : 'ready'
}

/**
 * How many of the four steps are done: at most the payment and the creation of the TV login. Entering the login and setting up a device remain
 * open, because the setup is hidden once the line is used.
 */
export const stepsDone: Record<Stage, number> = { checking: 0, creating: 1, manual: 1, ready: 2 }
