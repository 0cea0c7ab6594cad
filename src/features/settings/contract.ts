import * as z from 'zod/mini'
import { chat } from '#features/chat/contract.ts'
import { provisioning } from '#features/provisioning/contract.ts'
import { get } from '#kit/endpoint.ts'
import { ownPath } from '#kit/text.ts'

const short = z.string().check(z.maxLength(120, 'Please use at most 120 characters'))
/** Empty, or a web address: these end up in links, where any other scheme could run a script. */
const webAddress = z.union([
  z.literal(''),
  z.url({ protocol: /^https?$/, error: 'Please enter an address that starts with https://' }).check(z.maxLength(500)),
])
const link = z.object({ label: short, url: webAddress })
const count = (max: number) => z.int().check(z.gte(0), z.lte(max))

/** What every page may know of the operator. Payment handles are not in it: they are shown with an invoice. */
export const site = z.object({
  brand: z.object({ name: short, mascot: z.boolean() }),
  contact: z.object({ email: short, phone: short }),
  socials: z.array(link).check(z.maxLength(12)),
  apps: z.object({ android: webAddress, ios: webAddress, web: webAddress }),
  playerUrl: webAddress,
  setup: z.object({
    downloaderCode: short,
    appName: short,
    providerName: short,
    videoUrl: z.union([
      webAddress,
      ownPath('Please enter an address that starts with https://, or a path of this site'),
    ]),
    demoUsername: short,
    demoPassword: short,
  }),
  chat,
  claims: z.object({
    liveChannels: short,
    countries: short,
    worldCountries: short,
    totalChannels: short,
    catchUpDays: count(365),
    moneyBackDays: count(365),
    support: short,
    trialHours: short,
  }),
})
export type Site = z.output<typeof site>

export const paymentMethods = z.object({
  /** Which methods customers may choose. */
  offers: z.object({ cashapp: z.boolean(), venmo: z.boolean(), creditcard: z.boolean() }),
  /** Empty until the operator sets them: then customers are asked to contact the operator before they pay. */
  cashtag: short,
  venmoHandle: short,
  notePrefix: z.string().check(z.maxLength(20)),
  /** What follows the prefix in a payment note: the invoice's number, or a two-word phrase unique among open invoices. */
  noteStyle: z.enum(['number', 'phrase']),
  verificationHours: count(1000),
  cardHours: count(1000),
  billFrom: z.array(short).check(z.maxLength(10)),
})
export type PaymentMethods = z.output<typeof paymentMethods>

export const legalDocument = z.enum(['terms', 'privacy', 'refund-policy', 'cookies', 'dmca'])
export type LegalDocument = z.output<typeof legalDocument>
const legalText = z.string().check(z.maxLength(50_000))

/** Every setting by its key in the table; `rules.ts` holds what each starts with. */
export const settingsByKey = {
  site,
  payments: paymentMethods,
  invoices: z.object({
    validDays: z.int().check(z.gte(1), z.lte(365)),
    /** How many hours before it expires a mail reminds of an order that was started and not paid; 0: never. */
    reminderHours: count(720),
  }),
  referrals: z.object({ percent: count(100) }),
  renewals: z.object({
    /** How many days before its end a subscription gets its renewal invoice; 0: never. */
    daysAhead: count(60),
    /** On which days before the end a mail says so. */
    reminderDays: z.array(z.int().check(z.gte(1), z.lte(60))).check(z.maxLength(5)),
  }),
  accounts: z.object({
    /** Whose passwords may not be among the most guessable ones. An administrator's never may. */
    refuseGuessablePasswords: z.enum(['admins', 'everyone']),
    /** Whether a login from a device and network not seen before is told by mail. */
    newLoginMail: z.boolean(),
    /** Whether addresses are asked to be confirmed; `required`: before anything can be bought. */
    emailVerification: z.enum(['off', 'optional', 'required']),
    /** Whether administrators can do nothing as such before they have set up a second step. Read in `server/session.ts` too. */
    requireTwoFactorForAdmins: z.boolean(),
  }),
  /** How lines are made on the operator's panel; kept by the room `panels`. */
  provisioning,
  /** Whether channels show the logos that the panel names; kept by the room `panels`. */
  logos: z.object({ fromPanel: z.boolean() }),
  /** The operator's own legal texts; an empty one stands for the text an installation starts with. */
  legal: z.object({
    terms: legalText,
    privacy: legalText,
    'refund-policy': legalText,
    cookies: legalText,
    dmca: legalText,
  }),
}
export type SettingKey = keyof typeof settingsByKey
export type SettingValue<K extends SettingKey> = z.output<(typeof settingsByKey)[K]>

export const getSite = get('/api/site', {
  summary: 'Brand, contact and claims',
  access: 'public',
  cacheSeconds: 60,
  output: site,
})
export const getLegalText = get('/api/legal/:document', {
  summary: 'A legal text, as the operator wrote it',
  access: 'public',
  params: z.object({ document: legalDocument }),
  output: z.object({ text: z.string() }),
})
export const getPaymentMethods = get('/api/payment-methods', {
  summary: 'Where payments are sent',
  access: 'member',
  output: paymentMethods,
})
