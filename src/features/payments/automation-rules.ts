import { rails } from './rules.ts'

export const automationModes = ['off', 'shadow', 'on'] as const
export const modeNames = { off: 'off', shadow: 'shadow mode', on: 'on' } as const
export type AutomationMode = (typeof automationModes)[number]

/** The rails whose emails or events have signatures that can be verified. Payments of other rails are always decided by administrators. */
export const provableRails = rails.filter((rail) =>
  ['cashapp', 'venmo', 'zelle', 'paypal', 'chime', 'wise', 'card', 'crypto'].includes(rail),
)

/** Automatic confirmation can be turned on after this number of administrators' decisions in shadow mode agreed with the rule and none differed. */
export const decisionsNeeded = 30

/** Returns why automatic confirmation cannot be turned on yet, or null if it can. */
export function reasonAgainstOn({ agreed, differed }: { agreed: number; differed: number }): string | null {
  if (differed > 0)
    return `${differed === 1 ? 'One decision differs' : `${differed} decisions differ`} from what the rule would have done. Turn shadow mode off and on to start counting again.`
  if (agreed < decisionsNeeded)
    return `${agreed} of ${decisionsNeeded} decisions agree so far. Automatic confirmation can be turned on after ${decisionsNeeded}.`
  return null
}

/** Returns a short description of the state of automatic confirmation, for the desk. */
export const automationState = ({ mode, agreed }: { mode: AutomationMode; agreed: number }): string =>
  mode === 'shadow' ? `shadow mode (${Math.min(agreed, decisionsNeeded)} of ${decisionsNeeded})` : modeNames[mode]

/** The conditions of automatic confirmation in plain words. The server checks all of them (`conditions`). */
export const conditionTexts = [
  'The email or event is signed by the payment provider, and we verified the signature ourselves.',
  'The message says that one of our accounts was paid, and its layout is known.',
  'The payment is incoming, completed and in US dollars.',
  'The note names exactly one open order, without a typo, and no earlier order had the same phrase.',
  'The amount is exactly what is due.',
  'If the payer has paid before, then also for this customer, and none of that money was taken back. No other order claims the transaction.',
  'The order does not belong to an administrator and earns no administrator a referral bonus.',
  'None of the limits below is exceeded, and the email or event is at most 72 hours old.',
]
