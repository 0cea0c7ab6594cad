import { asSingleLine } from '#features/iptv/server/xtream/json-fields.ts'
import { PanelError } from './errors.ts'
import type { Refusal } from './port.ts'

const messages: Record<Refusal, string> = {
  auth: 'The panel does not accept the key.',
  credits: 'The panel’s account has too few credits.',
  exists: 'The panel already has a line with this username.',
  package: 'The panel has no such package.',
  no_trials: 'The panel does not allow a trial with this account or package.',
  invalid: 'The panel refused the request.',
  unsupported: 'The panel does not support this.',
  not_found: 'The panel has no such line.',
}

/** The error for a refusal. Its message is ours, followed by the panel's. */
export function refusalError(refusal: Refusal, message: unknown = ''): PanelError {
  const words = asSingleLine(message)
  return new PanelError(refusal, words ? `${messages[refusal]} Its message: ${words}` : messages[refusal])
}

// The first pattern that matches counts, so that "Invalid API key" is about the key.
const patterns: [RegExp, Refusal][] = [
  [/api.?key|unauthori[sz]ed|forbidden|access denied|not allowed|permission|authenticat/i, 'auth'],
  [/credit|balance|funds/i, 'credits'],
  [/\bexists?\b|duplicate|already|taken|in use/i, 'exists'],
  [/trial/i, 'no_trials'],
  [/package|bouquet|tariff/i, 'package'],
  [/action|method|unsupported|not supported/i, 'unsupported'],
  [/not found|unknown (line|user|account)|no such|does not exist/i, 'not_found'],
]

/** The error for a refusal that is known only from the panel's message. `otherwise` is used if the message matches no pattern. */
export function refusalFromText(message: unknown, otherwise: Refusal = 'invalid'): PanelError {
  const words = asSingleLine(message)
  const isMissing = /not (found|exist)|does not exist|no such/i.test(words)
  const found = isMissing
    ? /package|bouquet|tariff/i.test(words)
      ? 'package'
      : 'not_found'
    : patterns.find(([pattern]) => pattern.test(words))?.[1]
  return refusalError(found ?? otherwise, words)
}

/** The error for a 4xx status. The status takes precedence over the message, which may be in any language. */
export function refusalFromStatus(status: number, message: unknown): PanelError {
  if (status === 409) return refusalError('exists', message)
  if (status === 402) return refusalError('credits', message)
  if (status === 404 || status === 410) return refusalError('not_found', message)
  if (status === 405 || status === 501) return refusalError('unsupported', message)
  return refusalFromText(message)
}
