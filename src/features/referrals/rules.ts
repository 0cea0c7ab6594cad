import { percentOf } from '#kit/money.ts'

/** What a referred customer saves on the first invoice, in cents. */
export const referralDiscount = (priceCents: number, percent: number): number => percentOf(priceCents, percent)

/** What the referrer earns when that invoice is paid, in cents of what was paid. */
export const referralBonus = (paidCents: number, percent: number): number => percentOf(paidCents, percent)
