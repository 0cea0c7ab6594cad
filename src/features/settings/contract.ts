import * as z from 'zod/mini'
import { chat } from '#features/chat/contract.ts'
import { mailServer } from '#features/mails/contract.ts'
import { provisioning } from '#features/provisioning/contract.ts'
import { mailbox } from '#features/receipts/contract.ts'
import { get } from '#kit/endpoint.ts'
import { id, ownPath } from '#kit/text.ts'

const short = z.string().check(z.maxLength(120, 'Please use at most 120 characters'))
/** Empty or a web URL. Other schemes could run scripts, since these values are used in links. */
const webAddress = z.union([
  z.literal(''),
  z.url({ protocol: /^https?$/, error: 'Please enter an address that starts with https://' }).check(z.maxLength(500)),
])
const link = z.object({ label: short, url: webAddress })
const count = (max: number) => z.int().check(z.gte(0), z.lte(max))

const imagePath = z.string().check(z.regex(/^\/images\/[0-9a-f]{64}\.(webp|png|jpeg)$/))
/** How the site presents itself. Administrators edit it as a draft and publish it (feature `brand`). */
export const brand = z.object({
  name: short,
  /** If false, the mascot is shown nowhere, and plans show one to four bars instead. */
  mascot: z.boolean(),
  /** The hue of the accent color, in degrees. Lightness and chroma are fixed, so that texts stay readable. */
  hue: count(359),
  /** The texts at the top of the home page. */
  headline: short,
  tagline: short,
  /** The names of the four plan groups. */
  plans: z.array(short).check(z.length(4)),
  /** The mascot of each plan group, from the smallest (1) to the largest (4). */
  mascots: z.array(z.int().check(z.gte(1), z.lte(4))).check(z.length(4)),
  /** The uploaded logo with its size in pixels; null for the built-in logo. `document` is the same logo as PNG, for emails and PDF files. */
  logo: z.nullable(z.object({ path: imagePath, document: imagePath, width: z.int(), height: z.int() })),
  /** The uploaded icon in squares of 512, 192, 180 and 32 pixels; null for the built-in icon. */
  icon: z.nullable(z.object({ large: imagePath, medium: imagePath, touch: imagePath, small: imagePath })),
})
export type BrandSettings = z.output<typeof brand>

/** The public settings. They do not include payment handles, which are shown only with an invoice. */
export const site = z.object({
  brand,
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
      ownPath('Please enter an address that starts with https://, or a path on this site'),
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
/** The parts of an announcement that the site shows. */
export const siteAnnouncement = z.object({
  id,
  title: short,
  summary: z.string(),
  /** The label and path of a link to a page of this site. Both are empty if the announcement has no link. */
  linkLabel: short,
  linkPath: z.string(),
})
export type SiteAnnouncement = z.output<typeof siteAnnouncement>

/** The public settings and the values that are derived from them. */
const publicSite = z.extend(site, {
  /** The names of the payment methods, for the footer. */
  paymentMarks: z.array(z.string()),
  /** Whether members can watch channels on this site. */
  watching: z.boolean(),
  /** Whether the program guide has listings. */
  listings: z.boolean(),
  /** The announcements to everyone, newest first. */
  announcements: z.array(siteAnnouncement),
  /** Whether there are any announcements, including announcements for some customers only. */
  isAnnouncing: z.boolean(),
  /** The paths of the icon: for browser tabs, and in squares of 180, 192 and 512 pixels. */
  icons: z.object({ small: z.string(), touch: z.string(), medium: z.string(), large: z.string() }),
})
export type Site = z.output<typeof publicSite>

export const paymentMethods = z.object({
  /** The payment methods that customers may choose. */
  offers: z.object({ cashapp: z.boolean(), venmo: z.boolean(), creditcard: z.boolean() }),
  /** While a handle is empty, customers are asked to contact support before they pay. */
  cashtag: short,
  venmoHandle: short,
  notePrefix: z.string().check(z.maxLength(20)),
  /** The part after the prefix of a payment note: the invoice number, or a two-word phrase that is unique among open invoices. */
  noteStyle: z.enum(['number', 'phrase']),
  /** Whether 1 to 29 cents are taken off orders that are paid with Cash App, so that the amount identifies the payment. */
  identifyingCents: z.boolean(),
  verificationHours: count(1000),
  cardHours: count(1000),
  /** The lines that name the seller on invoices. If empty, invoices show the brand name and the contact address. */
  billFrom: z.array(short).check(z.maxLength(10)),
})
export type PaymentMethods = z.output<typeof paymentMethods>

export const trustedRails = ['cashapp', 'venmo', 'zelle', 'paypal', 'chime', 'wise', 'bank', 'card'] as const

export const legalDocument = z.enum(['terms', 'privacy', 'refund-policy', 'cookies', 'dmca'])
export type LegalDocument = z.output<typeof legalDocument>
const legalText = z.string().check(z.maxLength(50_000))

/** The schema of each setting by its key in the database. `rules.ts` has the defaults. */
export const settingsByKey = {
  site,
  payments: paymentMethods,
  invoices: z.object({
    validDays: z.int().check(z.gte(1), z.lte(365)),
    /** Hours before expiry to email a reminder for an order that was started but not paid; 0 for never. */
    reminderHours: count(720),
  }),
  paymentDesk: z.object({
    /** The maximum number of cents by which a payment may be short and still be accepted; 0 for never. */
    acceptedCents: count(10_000),
    /** The amount in US dollars above which a decision about a payment needs two administrators; 0 for never. */
    secondPersonDollars: count(1_000_000),
    /** The number of days after the deadline of an order during which a payment can still confirm it. */
    lateDays: count(365),
    /** Days for which the contents of payment emails are stored. */
    emailDays: z.int().check(z.gte(1), z.lte(3650)),
    /** Whether payments that have nothing to do with an order are not recorded, because the accounts are also used privately. */
    isPrivateAccount: z.boolean(),
    /** Days until a payment of each rail counts as final. A referral bonus stays pending for at least this time. */
    trustedDays: z.record(z.enum(trustedRails), count(365)),
  }),
  referrals: z.object({ percent: count(100) }),
  renewals: z.object({
    /** Days before the end of a subscription to create the renewal invoice; 0 for never. */
    daysAhead: count(60),
    /** Days before the end of a subscription to email a reminder. */
    reminderDays: z.array(z.int().check(z.gte(1), z.lte(60))).check(z.maxLength(5)),
  }),
  accounts: z.object({
    /** Whose guessable passwords are refused. Those of administrators are always refused. */
    refuseGuessablePasswords: z.enum(['admins', 'everyone']),
    /** Whether to email users about a login from a new device and network. */
    newLoginMail: z.boolean(),
    /** Whether users are asked to confirm their email address; `required`: they must confirm it before they can buy. */
    emailVerification: z.enum(['off', 'optional', 'required']),
    /** Whether administrators must set up two-step verification before they can use the admin pages. Also read in `server/session`. */
    requireTwoFactorForAdmins: z.boolean(),
  }),
  /** How lines are provisioned on the operator's IPTV panel; edited by the feature `panels`. */
  provisioning,
  /** The mailbox that receives payment emails; edited by the feature `receipts`. */
  mailbox,
  /** The mail server that sends all emails; edited by the feature `mails`. */
  mailServer,
  /** Whether channels show the logos of the IPTV panel; edited by the feature `panels`. */
  logos: z.object({ fromPanel: z.boolean() }),
  /** The operator's legal texts. An empty text is replaced by the standard text. */
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
  dependsOn: ['setting', 'channel_right', 'guide', 'announcement'],
  cacheSeconds: 60,
  output: publicSite,
})
export const getLegalText = get('/api/legal/:document', {
  summary: 'A legal text',
  access: 'public',
  params: z.object({ document: legalDocument }),
  output: z.object({ text: z.string() }),
})
export const getPaymentMethods = get('/api/payment-methods', {
  summary: 'Where payments are sent',
  access: 'member',
  dependsOn: ['setting'],
  output: paymentMethods,
})
