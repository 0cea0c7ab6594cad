import type { Rail } from '#features/payments/server/matching/types.ts'
import type { MailTemplate } from './template.ts'
import { cashappTemplates } from './templates/cashapp.ts'
import { paypalTemplates } from './templates/paypal.ts'
import { reversedTemplates } from './templates/reversed.ts'
import { chimeTemplates, stripeTemplates, wiseTemplates } from './templates/sentences.ts'
import { venmoTemplates } from './templates/venmo.ts'
import { bankOfAmericaTemplates, chaseTemplates, tdTemplates, wellsFargoTemplates } from './templates/zelle.ts'

/** The kinds of accounts that an operator can have. Stripe payments have the rail `card`. */
export type AccountKind = 'cashapp' | 'venmo' | 'zelle' | 'paypal' | 'chime' | 'wise' | 'stripe'

/**
 * A provider that sends payment notifications. `domain` is the exact signing domain (`d=`) that is required; signatures of its email delivery services prove
 * nothing. `namesUsDollars` is true if an amount without a currency code is in US dollars.
 */
export type Sender = {
  address: RegExp
  domain: string
  account: AccountKind
  rail: Rail
  namesUsDollars: boolean
  templates: MailTemplate[]
}

const sender = (
  address: RegExp,
  domain: string,
  account: AccountKind,
  templates: MailTemplate[],
  changes: Partial<Sender> = {},
): Sender => ({
  address,
  domain,
  account,
  rail: account === 'stripe' ? 'card' : account,
  namesUsDollars: true,
  templates: [...templates, ...reversedTemplates],
  ...changes,
})

const international = { namesUsDollars: false }
const senders: Sender[] = [
  sender(/^cash@square\.com$/, 'square.com', 'cashapp', cashappTemplates),
  sender(/^venmo@venmo\.com$/, 'venmo.com', 'venmo', venmoTemplates),
  sender(/^no\.reply\.alerts@chase\.com$/, 'chase.com', 'zelle', chaseTemplates),
  sender(/^customerservice@ealerts\.bankofamerica\.com$/, 'ealerts.bankofamerica.com', 'zelle', bankOfAmericaTemplates),
  sender(/^[\w.+-]+@tdbank\.com$/, 'tdbank.com', 'zelle', tdTemplates),
  sender(/^alerts@notify\.wellsfargo\.com$/, 'notify.wellsfargo.com', 'zelle', wellsFargoTemplates),
  sender(/^service@paypal\.com$/, 'paypal.com', 'paypal', paypalTemplates, international),
  sender(/^service@intl\.paypal\.com$/, 'intl.paypal.com', 'paypal', paypalTemplates, international),
  sender(/^alerts@account\.chime\.com$/, 'account.chime.com', 'chime', chimeTemplates),
  sender(/^noreply@wise\.com$/, 'wise.com', 'wise', wiseTemplates, international),
  sender(/^notifications@stripe\.com$/, 'stripe.com', 'stripe', stripeTemplates, international),
]

/** Returns the provider that sends from exactly this address; undefined if there is none. */
export const senderOf = (address: string): Sender | undefined =>
  senders.find((each) => each.address.test(address.toLowerCase()))
