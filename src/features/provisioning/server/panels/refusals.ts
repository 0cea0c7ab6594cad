import { wordsOf } from '#features/iptv/server/xtream/json-fields.ts'
import type { Refusal } from './adapter.ts'
import { PanelTrouble } from './errors.ts'

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
export function refused(refusal: Refusal, said: unknown = ''): PanelTrouble {
  const words = wordsOf(said)
  return new PanelTrouble(refusal, words ? `${messages[refusal]} It says: ${words}` : messages[refusal])
}

// In the order in which they count: "Invalid API key" is a key first.
const inWords: [RegExp, Refusal][] = [
  [/api.?key|unauthori[sz]ed|forbidden|access denied|not allowed|permission|authenticat/i, 'auth'],
  [/credit|balance|funds/i, 'credits'],
  [/\bexists?\b|duplicate|already|taken|in use/i, 'exists'],
  [/trial/i, 'no_trials'],
  [/package|bouquet|tariff/i, 'package'],
  [/action|method|unsupported|not supported/i, 'unsupported'],
  [/not found|unknown (line|user|account)|no such|does not exist/i, 'not_found'],
]

/** What a panel's words mean; `otherwise` where they mean nothing to us. */
export function refusalIn(said: unknown, otherwise: Refusal = 'invalid'): PanelTrouble {
  const words = wordsOf(said)
  const isMissing = /not (found|exist)|does not exist|no such/i.test(words)
  const found = isMissing
    ? /package|bouquet|tariff/i.test(words)
      ? 'package'
      : 'not_found'
    : inWords.find(([pattern]) => pattern.test(words))?.[1]
  return refused(found ?? otherwise, words)
}

/** What a status of the fours means where the panel has no words of ours for it. Whatever language it speaks, its numbers are the same. */
export function refusalOfStatus(status: number, said: unknown): PanelTrouble {
  if (status === 409) return refused('exists', said)
  if (status === 402) return refused('credits', said)
  if (status === 404 || status === 410) return refused('not_found', said)
  if (status === 405 || status === 501) return refused('unsupported', said)
  return refusalIn(said)
}
