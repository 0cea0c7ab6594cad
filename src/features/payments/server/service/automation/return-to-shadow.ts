import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/connect.ts'
import { type Rail, railNames } from '../../../rules.ts'
import { lockSwitch } from './read-automation.ts'
import { announceChange, updateAutomation } from './set-automation.ts'

/**
 * Sets automatic confirmation back to shadow mode, and emails the reason to all owners. Does nothing unless it is on. Call it before payment cases are
 * locked, because the rule locks its switch first.
 */
export async function returnToShadow(tx: Tx, reason: string): Promise<void> {
  const before = await lockSwitch(tx)
  if (before.mode !== 'on') return
  await updateAutomation(tx, { mode: 'shadow', since: sql`now()`, reason, changedBy: null })
  await announceChange(tx, {
    ...{ action: 'automation.mode', from: before, before: { mode: 'on' }, after: { mode: 'shadow', reason }, by: null },
    about: `shadow mode. ${reason}`,
  })
}

/** Excludes a rail whose emails have a new layout from automatic confirmation, until an administrator adds the rail again. */
export async function removeRail(tx: Tx, rail: Rail): Promise<void> {
  const before = await lockSwitch(tx)
  if (before.mode !== 'on' || !before.rails.includes(rail)) return
  const rails = before.rails.filter((each) => each !== rail)
  await updateAutomation(tx, { rails })
  await announceChange(tx, {
    ...{ action: 'automation.limits', from: before, before: { rails: before.rails }, after: { rails }, by: null },
    about: `off for ${railNames[rail]}, because the layout of one of its emails is not known`,
  })
}
