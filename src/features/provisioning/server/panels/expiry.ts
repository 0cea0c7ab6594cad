import type { NewLine } from './port.ts'
import { refusalError } from './refusals.ts'

/** The expiry date of a new line. Throws if none is given, because the line would then never expire. */
export function expiryFor(line: Pick<NewLine, 'expiresAt' | 'trialHours'>): string {
  const end =
    line.expiresAt ??
    (line.trialHours === undefined ? undefined : new Date(Date.now() + line.trialHours * 3_600_000).toISOString())
  if (!end) throw refusalError('invalid', 'No expiry date was given.')
  return end
}
