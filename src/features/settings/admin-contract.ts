import * as z from 'zod/mini'
import { chat } from '#features/chat/contract.ts'
import { get, put } from '#kit/endpoint.ts'
import { emailAddress, ownPath, singleLine } from '#kit/text.ts'
import { paymentMethods, settingsByKey, site, trustedRails } from './contract.ts'

const text = (max = 120) => singleLine(0, max, '')
const isWebAddress = (value: string) => value === '' || (/^https?:\/\//.test(value) && URL.canParse(value))
const webAddress = z
  .string()
  .check(
    z.maxLength(500, 'Please use at most 500 characters'),
    z.refine(isWebAddress, 'Please enter an address that starts with https://'),
  )
const requiredText = singleLine(1, 120, 'Please enter a value')
const wholeNumber = (least: number, most: number) =>
  z
    .int(`Please enter a whole number from ${least} to ${most}`)
    .check(
      z.gte(least, `Please enter a whole number from ${least} to ${most}`),
      z.lte(most, `Please enter a whole number from ${least} to ${most}`),
    )
const handle = (pattern: RegExp, message: string) =>
  z.string().check(z.refine((value) => value === '' || pattern.test(value), message))
const legalText = z.object({ text: z.string().check(z.maxLength(50_000, 'Please use at most 50,000 characters')) })
const { trialHours: _, ...claims } = site.shape.claims.shape

/**
 * The schemas of the sections that administrators save, by the section name in the URL. A section is a setting or a part of a setting. These schemas are
 * stricter than those of stored settings and have messages for forms.
 */
export const settingSections = {
  contact: z.object({
    contact: z.object({ email: emailAddress('Please enter a valid email address'), phone: text(40) }),
  }),
  apps: z.object({
    apps: z.object({ android: webAddress, ios: webAddress, web: webAddress }),
    playerUrl: webAddress,
    setup: z.object({
      downloaderCode: text(40),
      appName: singleLine(1, 120, 'Please enter the name of the app'),
      /** If empty, the brand name is used. */
      providerName: text(),
      videoUrl: z
        .string()
        .check(
          z.maxLength(500),
          z.refine(isVideo, 'Please enter an address that starts with https://, or a path on this site'),
        ),
      demoUsername: text(),
      demoPassword: text(),
    }),
  }),
  payments: z.extend(paymentMethods, {
    offers: paymentMethods.shape.offers.check(
      z.refine<Record<string, boolean>>((offers) => Object.values(offers).some(Boolean), {
        path: ['creditcard'],
        message: 'Please offer at least one payment method',
      }),
    ),
    cashtag: handle(/^\$[A-Za-z][A-Za-z0-9]{0,19}$/, 'Please enter a cashtag such as $YourName'),
    venmoHandle: handle(/^@[A-Za-z0-9_-]{3,30}$/, 'Please enter a handle such as @saucetv'),
    notePrefix: z
      .string()
      .check(
        z.minLength(1, 'Please enter the prefix'),
        z.maxLength(20, 'Please use at most 20 characters'),
        z.regex(/^[ -~]*$/, 'Please use only ASCII characters'),
      ),
    verificationHours: wholeNumber(1, 1000),
    cardHours: wholeNumber(1, 1000),
    billFrom: z.array(singleLine(1, 120, 'Please enter the line or remove it')).check(z.maxLength(10)),
  }),
  invoices: z.object({ validDays: wholeNumber(1, 365), reminderHours: wholeNumber(0, 720) }),
  'payment-desk': z.object({
    acceptedCents: wholeNumber(0, 10_000),
    secondPersonDollars: wholeNumber(0, 1_000_000),
    lateDays: wholeNumber(0, 365),
    emailDays: wholeNumber(1, 3650),
    isPrivateAccount: z.boolean(),
    trustedDays: z.record(z.enum(trustedRails), wholeNumber(0, 365)),
  }),
  referrals: z.object({ percent: wholeNumber(0, 100) }),
  renewals: z.object({
    daysAhead: wholeNumber(0, 60),
    reminderDays: singleLine(0, 40, '').check(
      z.refine(
        (days) => parseDays(days).length <= 5 && parseDays(days).every((day) => day >= 1 && day <= 60),
        'Please enter up to five days from 1 to 60, such as 7, 3, 1',
      ),
    ),
  }),
  claims: z.object({
    claims: z.object({
      ...claims,
      liveChannels: requiredText,
      countries: requiredText,
      worldCountries: requiredText,
      totalChannels: requiredText,
      catchUpDays: wholeNumber(0, 365),
      moneyBackDays: wholeNumber(0, 365),
      support: requiredText,
    }),
  }),
  trials: z.object({ claims: z.object({ trialHours: singleLine(1, 20, 'Please enter the hours, such as 24-48') }) }),
  socials: z.object({
    socials: z
      .array(
        z.object({
          label: singleLine(1, 60, 'Please enter the name or remove the link'),
          url: z.string().check(
            z.maxLength(500),
            z.refine((url) => url !== '' && isWebAddress(url), 'Please enter an address that starts with https://'),
          ),
        }),
      )
      .check(z.maxLength(12, 'Please enter at most 12 links')),
  }),
  chat,
  accounts: settingsByKey.accounts,
  terms: legalText,
  privacy: legalText,
  'refund-policy': legalText,
  cookies: legalText,
  dmca: legalText,
}
export type SettingSection = keyof typeof settingSections

/** Parses a list of days such as `7, 3, 1`. An item that is not a number becomes NaN. */
export const parseDays = (text: string): number[] => (text === '' ? [] : text.split(/[\s,]+/).map(Number))

function isVideo(value: string): boolean {
  return isWebAddress(value) || ownPath('').safeParse(value).success
}

const params = z.object({ section: z.enum(Object.keys(settingSections) as [SettingSection, ...SettingSection[]]) })
/** `version` identifies the value that was read. `standard` is the text that pages show while a legal text is empty. */
const storedSetting = z.object({
  version: z.string(),
  value: z.record(z.string(), z.unknown()),
  standard: z.optional(z.string()),
})

export const getSetting = get('/api/admin/settings/:section', {
  summary: 'A section of the settings',
  access: 'admin',
  needs: 'settings.read',
  dependsOn: ['setting'],
  params,
  output: storedSetting,
})
export const updateSetting = put('/api/admin/settings/:section', {
  summary: 'Replace a section of the settings; rejected when the version is outdated',
  access: 'admin',
  needs: 'settings.edit',
  limit: 'adminWrite',
  params,
  body: z.object({ version: z.string().check(z.maxLength(64)), value: z.record(z.string(), z.unknown()) }),
  output: storedSetting,
})
