import type { NewLine } from './adapter.ts'
import { refused } from './refusals.ts'

/** When a line made now shall end. Without an end it would never. */
export function endOf(made: Pick<NewLine, 'expiresAt' | 'trialHours'>): string {
  const end =
    made.expiresAt ??
    (made.trialHours === undefined ? undefined : new Date(Date.now() + made.trialHours * 3_600_000).toISOString())
  if (!end) throw refused('invalid', 'No end was given.')
  return end
}
