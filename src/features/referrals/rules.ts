import { percentOf } from '#kit/money.ts'

// 32 letters and digits that are not easily confused, so ten of them hold 50 random bits.
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const invalidAmountMessage = 'Please enter an amount of at least one cent and at most $100,000.00'
export const shortReasonMessage = 'Please give a reason of at least 4 characters'

/** Returns a referral code of ten characters. `random` must contain at least ten bytes. */
export const referralCodeFrom = (random: Uint8Array): string =>
  Array.from(random.subarray(0, 10), (byte) => alphabet[byte % 32]).join('')

/** Returns a typed code in its stored form: upper case, without spaces and hyphens. */
export const normalizeCode = (typed: string): string => typed.toUpperCase().replace(/[\s-]/g, '')

/** Returns the discount on a referred customer's first invoice, in cents. */
export const referralDiscount = (priceCents: number, percent: number): number => percentOf(priceCents, percent)

/** Returns the referrer's bonus for the first payment of a referred customer, in cents. */
export const referralBonus = (paidCents: number, percent: number): number => percentOf(paidCents, percent)

/** Returns the text of the invitation that a customer shares. */
export const shareMessageFor = (brand: string, percent: number, code: string, url: string): string =>
  `Join me on ${brand}! Use my referral code ${code} and get ${percent}% off your subscription: ${url}`
