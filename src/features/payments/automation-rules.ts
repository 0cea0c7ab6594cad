import { rails } from './rules.ts'

export const automationModes = ['off', 'shadow', 'on'] as const
export const modeNames = { off: 'off', shadow: 'shadow mode', on: 'on' } as const
export type AutomationMode = (typeof automationModes)[number]

/** The rails whose emails or events can be proven. Administrators always decide about payments of the others. */
export const provableRails = rails.filter((rail) =>
  ['cashapp', 'venmo', 'zelle', 'paypal', 'chime', 'wise', 'card', 'crypto'].includes(rail),
)

/** The number of decisions of administrators that must agree with the rule in shadow mode, with none that differs, before it can be turned on. */
export const decisionsNeeded = 30

/** Why the rule cannot be turned on yet, or null. */
export function reasonAgainstOn({ agreed, differed }: { agreed: number; differed: number }): string | null {
  if (differed > 0)
    return `${differed === 1 ? 'One decision differs' : `${differed} decisions differ`} from what the rule would have done. Turn shadow mode off and on to start counting again.`
  if (agreed < decisionsNeeded)
    return `${agreed} of ${decisionsNeeded} decisions agree so far. Automatic confirmation can be turned on after ${decisionsNeeded}.`
  return null
}

/** A short description of the state, for the desk. */
export const automationState = ({ mode, agreed }: { mode: AutomationMode; agreed: number }): string =>
  mode === 'shadow' ? `shadow mode (${Math.min(agreed, decisionsNeeded)} of ${decisionsNeeded})` : modeNames[mode]

/** What must hold before a payment is confirmed automatically, in plain words. The server checks each. */
export const conditionTexts = [
  'The email or event is signed by the payment provider, and we verified the signature ourselves.',
  'It says that one of our accounts was paid, and its layout is known.',
  'It is an incoming, completed payment in US dollars.',
  'The note names exactly one open order, without a typo, and no earlier order had the same phrase.',
  'The amount is exactly what is due.',
  'If the payer has paid before, it was not only for other customers, and no other order claims the transaction.',
  'The order does not belong to an administrator and earns no administrator a referral bonus.',
  'The amount and the daily limits below are not exceeded, and the email or event is at most 72 hours old.',
]
