import type { RepairableKind } from '../admin-drift-contract.ts'

export const stateNames = {
  queued: 'Queued',
  sent: 'Sent',
  done: 'Done',
  rejected: 'Rejected',
  unknown: 'Unknown',
} as const

export const stepNames = {
  create: 'Create the line',
  extend: 'Set the expiry date',
  connections: 'Set the connections',
  enable: 'Enable the line',
  disable: 'Disable the line',
} as const

export const causeNames = {
  purchase: 'Payment confirmed',
  plan_change: 'Plan changed',
  grant: 'Set by an administrator',
  undo: 'Payment undone',
  segment: 'Next plan began',
  end: 'Subscription or trial ended',
  trial: 'Trial line',
  trial_change: 'Trial changed',
  repair: 'Repaired after a comparison',
  stray: 'Unknown line disabled',
  move: 'Moved to another panel',
  left: 'Old line disabled after a move',
} as const

/** What an administrator has to do about a job. */
export const taskNames = {
  manual: 'Do this in your panel, then mark it as done.',
  rejected: 'The panel refused the request. Fix the cause, then retry.',
  unknown: 'The panel did not confirm the request. Check the line in the panel, then retry or mark it as done.',
  tries: 'Several tries failed. Check the panel, then retry.',
  package: 'No package is chosen for this plan. Choose one under Settings, Provisioning, then retry.',
  mismatch:
    'The panel confirmed the request, but the line still differs. Check the line in the panel, then retry or mark it as done.',
  gone: 'The panel no longer has this line. Compare with the panel below, then recreate the line or ignore the difference.',
} as const

/** Each kind of difference, and the buttons that resolve it: apply our state, or the panel's. */
export const driftTexts = {
  no_line: { title: 'Paid for, but without a line', ours: 'Create the line', theirs: '' },
  missing: { title: 'The panel no longer has this line', ours: 'Recreate it with the same credentials', theirs: '' },
  end: { title: 'Expiry date differs', ours: 'Apply our expiry date', theirs: 'Use the panel’s expiry date' },
  connections: { title: 'Connections differ', ours: 'Apply our connections', theirs: '' },
  state: { title: 'Enabled state differs', ours: 'Apply our state', theirs: '' },
  stray: { title: 'Unknown line', ours: 'Disable it in the panel', theirs: 'Assign it to this customer' },
} as const

/** What repairing all differences of a kind does, and why they are listed. */
export const repairTexts: Record<RepairableKind, { does: string; why: string }> = {
  no_line: { does: 'create the line', why: 'Paid for, but without a line on this panel. Known credentials are kept.' },
  missing: { does: 'recreate the line', why: 'The panel no longer has it. The credentials stay the same.' },
  end: { does: 'set the expiry date', why: 'The expiry date differs from what was paid for.' },
  connections: { does: 'set the connections', why: 'The number of connections differs from the plan.' },
  state: { does: 'enable or disable the line', why: 'The enabled state differs from the subscription.' },
}
