import type { NewLine } from './port.ts'
import { refusalError } from './refusals.ts'

/** When a line made now shall end. Without an end it would never. */
export function expiryFor(made: Pick<NewLine, 'expiresAt' | 'trialHours'>): string {
  const end =
    made.expiresAt ??
    (made.trialHours === undefined ? undefined : new Date(Date.now() + made.trialHours * 3_600_000).toISOString())
  if (!end) throw refusalError('invalid', 'No end was given.')
  return end
}
