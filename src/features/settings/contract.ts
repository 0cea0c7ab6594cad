import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { defaults } from './rules.ts'

const link = z.object({ label: z.string(), url: z.string() })

/** What every page may know of the operator. Payment handles are not in it: they are shown with an invoice. */
export const site = z.object({
  brand: z.object({ name: z.string(), mascot: z.boolean() }),
  contact: z.object({ email: z.string(), phone: z.string() }),
  socials: z.array(link),
  apps: z.object({ android: z.string(), ios: z.string(), web: z.string() }),
  playerUrl: z.string(),
  claims: z.object({
    liveChannels: z.string(),
    countries: z.string(),
    worldCountries: z.string(),
    totalChannels: z.string(),
    catchUpDays: z.int(),
    moneyBackDays: z.int(),
    support: z.string(),
  }),
})
export type Site = z.output<typeof site>

export const paymentMethods = z.object({
  cashtag: z.string(),
  venmoHandle: z.string(),
  notePrefix: z.string(),
  verificationHours: z.int(),
  cardHours: z.int(),
  billFrom: z.array(z.string()),
})
export type PaymentMethods = z.output<typeof paymentMethods>

export const settingsByKey = {
  site: z._default(site, defaults.site),
  payments: z._default(paymentMethods, defaults.payments),
  invoices: z._default(z.object({ validDays: z.int() }), defaults.invoices),
  referrals: z._default(z.object({ percent: z.int().check(z.gte(0), z.lte(100)) }), defaults.referrals),
}
export type SettingKey = keyof typeof settingsByKey
export type SettingValue<K extends SettingKey> = z.output<(typeof settingsByKey)[K]>

export const getSite = get('/api/site', { summary: 'Brand, contact and claims', access: 'public', cacheSeconds: 60, output: site })
export const getPaymentMethods = get('/api/payment-methods', { summary: 'Where payments are sent', access: 'member', output: paymentMethods })
