import { asSingleLine } from '#features/iptv/server/xtream/json-fields.ts'
import { PanelError } from './errors.ts'
import type { Refusal } from './port.ts'

const messages: Record<Refusal, string> = {
  auth: 'The panel does not accept the key.',
  credits: 'The panel’s account has too few credits.',
  exists: 'The panel already has a line with this user name.',
  package: 'The panel does not know this package.',
  no_trials: 'The panel gives no trial with this account or package.',
  invalid: 'The panel refuses what was sent.',
  unsupported: 'The panel does not offer this.',
  not_found: 'The panel does not know this line.',
}

/** A refusal in our words, the panel's own behind them. */
export function refusalError(refusal: Refusal, said: unknown = ''): PanelError {
  const words = asSingleLine(said)
  return new PanelError(refusal, words ? `${messages[refusal]} It says: ${words}` : messages[refusal])
}

// In the order in which they count: "Invalid API key" is a key first.
const patterns: [RegExp, Refusal][] = [
  [/api.?key|unauthori[sz]ed|forbidden|access denied|not allowed|permission|authenticat/i, 'auth'],
  [/credit|balance|funds/i, 'credits'],
  [/\bexists?\b|duplicate|already|taken|in use/i, 'exists'],
  [/trial/i, 'no_trials'],
  [/package|bouquet|tariff/i, 'package'],
  [/action|method|unsupported|not supported/i, 'unsupported'],
  [/not found|unknown (line|user|account)|no such|does not exist/i, 'not_found'],
]

/** What a panel's words mean; `otherwise` where they mean nothing to us. */
export function refusalFromText(said: unknown, otherwise: Refusal = 'invalid'): PanelError {
  const words = asSingleLine(said)
  const isMissing = /not (found|exist)|does not exist|no such/i.test(words)
  const found = isMissing
    ? /package|bouquet|tariff/i.test(words)
      ? 'package'
      : 'not_found'
    : patterns.find(([pattern]) => pattern.test(words))?.[1]
  return refusalError(found ?? otherwise, words)
}

/** What a status of the fours means where the panel has no words of ours for it. Whatever language it speaks, its numbers are the same. */
export function refusalFromStatus(status: number, said: unknown): PanelError {
  if (status === 409) return refusalError('exists', said)
  if (status === 402) return refusalError('credits', said)
  if (status === 404 || status === 410) return refusalError('not_found', said)
  if (status === 405 || status === 501) return refusalError('unsupported', said)
  return refusalFromText(said)
}
