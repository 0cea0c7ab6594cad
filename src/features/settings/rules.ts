import { noChat } from '#features/chat/rules.ts'
import { defaultMailServer } from '#features/mails/rules.ts'
import { defaultProvisioning } from '#features/provisioning/rules.ts'
import { defaultMailbox } from '#features/receipts/mailbox-rules.ts'
import { defaultBrand } from './brand-rules.ts'
import type { LegalDocument, SettingKey, SettingValue, Site } from './contract.ts'

/** The default settings. Stored values replace them field by field. */
export const defaults: { [K in SettingKey]: SettingValue<K> } = {
  site: {
    brand: defaultBrand,
    contact: { email: 'support@saucetv.example', phone: '+1 (555) 010-0199' },
    socials: [],
    apps: { android: '', ios: '', web: '' },
    playerUrl: '',
    setup: {
      downloaderCode: '',
      appName: 'the recommended app',
      providerName: '',
      videoUrl: '',
      demoUsername: 'demo-user',
      demoPassword: 'demo-password',
    },
    chat: noChat,
    claims: {
      liveChannels: '10,000+',
      countries: '100+',
      worldCountries: '190+',
      totalChannels: '25,000+',
      catchUpDays: 3,
      moneyBackDays: 7,
      support: '24/7',
      trialHours: '24-48',
    },
  },
  payments: {
    offers: { cashapp: true, venmo: true, creditcard: true },
    cashtag: '',
    venmoHandle: '',
    notePrefix: 'SAUCE: ',
    noteStyle: 'number',
    identifyingCents: false,
    verificationHours: 24,
    cardHours: 1,
    billFrom: [],
  },
  invoices: { validDays: 7, reminderHours: 24 },
  paymentDesk: {
    ...{ acceptedCents: 0, secondPersonDollars: 0, lateDays: 14, emailDays: 180, isPrivateAccount: false },
    trustedDays: { cashapp: 0, venmo: 0, zelle: 0, paypal: 0, chime: 0, wise: 0, bank: 0, card: 0 },
  },
  referrals: { percent: 15 },
  renewals: { daysAhead: 10, reminderDays: [7, 3, 1] },
  accounts: {
    refuseGuessablePasswords: 'admins',
    newLoginMail: true,
    emailVerification: 'off',
    requireTwoFactorForAdmins: false,
  },
  provisioning: defaultProvisioning,
  mailbox: defaultMailbox,
  mailServer: defaultMailServer,
  logos: { fromPanel: false },
  legal: { terms: '', privacy: '', 'refund-policy': '', cookies: '', dmca: '' },
}

/**
 * Returns the names of the payment methods that customers can choose: cards and the wallets on card payment pages, and transfer services whose handle is
 * set.
 */
export const paymentMarks = ({ offers, cashtag, venmoHandle }: SettingValue<'payments'>): string[] => [
  ...(offers.creditcard ? ['Visa', 'Mastercard', 'American Express', 'PayPal', 'Apple Pay'] : []),
  ...(offers.cashapp && cashtag ? ['Cash App'] : []),
  ...(offers.venmo && venmoHandle ? ['Venmo'] : []),
]

/** Returns the icon of the site: the uploaded icon, the mascot, or plain bars if the mascot is switched off. */
export function iconsOf({ icon, mascot }: Pick<SettingValue<'site'>['brand'], 'icon' | 'mascot'>): Site['icons'] {
  if (icon) return icon
  return mascot
    ? { small: '/favicon.svg', touch: '/apple-touch-icon.png', medium: '/icon-192.png', large: '/icon-512.png' }
    : { small: '/plain.svg', touch: '/plain-180.png', medium: '/plain-192.png', large: '/plain-512.png' }
}

/**
 * Merges stored settings over the defaults. Objects are merged field by field, so that new fields get their default; lists and
 * primitive values are replaced. Unknown fields are kept for the schema to validate.
 */
export function withDefaults(base: unknown, stored: unknown): unknown {
  if (stored === undefined) return base
  if (!isRecord(base) || !isRecord(stored)) return stored
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(stored))
    merged[key] = Object.hasOwn(base, key) ? withDefaults(base[key], value) : value
  return merged
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const legalTitles: Record<LegalDocument, string> = {
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
  'refund-policy': 'Refund Policy',
  cookies: 'Cookie Policy',
  dmca: 'DMCA',
}
