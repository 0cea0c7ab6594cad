import { createHash } from 'node:crypto'
import { commonTokens, nameTokens, payerKeyOf } from '#features/payments/server/matching/names.ts'
import type { PaymentFacts, Rail } from '#features/payments/server/matching/types.ts'

/** A payment with the source that told of it: `mail`, or the format of a statement. */
export type SourcedPayment = { facts: PaymentFacts; source: string }

/** What told of a payment: each source has its own key for it. */
export type Receipt = { source: string; key: string }
export type BookedPayment = { facts: PaymentFacts; receipts: Receipt[] }

/** For each new payment, in order: the payment of the book that it is and how that was found, null if it is new; and the receipt to keep. */
export type Joined = {
  booked: BookedPayment | null
  by: 'reference' | 'line' | 'evidence' | null
  receipt: Receipt
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The day of a payment in the account's time zone. */
export function dayOfPayment({ paidOn, paidAt }: PaymentFacts, timeZone: string): string {
  if (paidOn || !paidAt) return paidOn ?? ''
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(paidAt))
}

/** The note as it is compared: letters and digits, upper case. */
const foldedNote = (note: string | null): string =>
  (note ?? '')
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The key of a payment: its provider reference, else everything that its source says. */
export function identityOf(facts: PaymentFacts, timeZone: string): { key: string; isReference: boolean } {
  const scope = `${facts.rail} ${facts.direction}`
  if (facts.providerReference) return { key: `${scope} ${facts.providerReference}`, isReference: true }
  const note = createHash('sha256').update(foldedNote(facts.note)).digest('hex').slice(0, 16)
  const payer = facts.payerHandle ? payerKeyOf(facts) : nameTokens(facts.payerName).join(' ')
  const parts = [scope, dayOfPayment(facts, timeZone), facts.amount, facts.currency, payer, note]
  return { key: parts.join('|'), isReference: false }
}

/**
 * Compares new payments of one source with the book, as multisets: two equal lines of a day are two payments, and the mail, the CSV row and the
 * bank line of one payment are one. Each payment of the book is given away at most once. The result does not depend on the order of the book.
 */
export function joinPayments(incoming: SourcedPayment[], book: BookedPayment[], timeZone: string): Joined[] {
  const byKey = new Map<string, BookedPayment>()
  for (const booked of book) {
    const { key, isReference } = identityOf(booked.facts, timeZone)
    if (isReference) byKey.set(key, booked)
    for (const receipt of booked.receipts) byKey.set(receipt.key, booked)
  }
  const counts = new Map<string, number>()
  const taken = new Set<BookedPayment>()
  const results = incoming.map(({ facts, source }): Joined => {
    const { key: plainKey, isReference } = identityOf(facts, timeZone)
    const occurrence = (counts.get(plainKey) ?? 0) + 1
    counts.set(plainKey, occurrence)
    const key = isReference ? plainKey : `${plainKey}#${occurrence}`
    const booked = byKey.get(key) ?? null
    if (booked) taken.add(booked)
    return { booked, by: booked ? (isReference ? 'reference' : 'line') : null, receipt: { source, key } }
  })
  const pairs = incoming.flatMap(({ facts, source }, at) => {
    if (results[at]!.booked) return []
    return book
      .filter((booked) => !taken.has(booked) && !booked.receipts.some((receipt) => receipt.source === source))
      .flatMap((booked) => {
        const likeness = likenessOf(facts, booked.facts, timeZone)
        return likeness ? [{ at, booked, ...likeness }] : []
      })
  })
  for (const { at, booked } of pairs.sort((one, other) => other.points - one.points || one.apart - other.apart)) {
    const result = results[at]!
    if (result.booked || taken.has(booked)) continue
    taken.add(booked)
    results[at] = { ...result, booked, by: 'evidence' }
  }
  return results
}

/** Rails on which every source uses the provider's number: two numbers are two payments. */
const oneNumbering = new Set<Rail>(['venmo', 'paypal', 'zelle', 'wise', 'chime', 'card'])

/** How alike two payments of different sources are; null if they are not the same payment. */
function likenessOf(
  one: PaymentFacts,
  other: PaymentFacts,
  timeZone: string,
): { points: number; apart: number } | null {
  const isSameMoney =
    one.rail === other.rail &&
    one.direction === other.direction &&
    one.amount === other.amount &&
    one.currency === other.currency
  if (!isSameMoney) return null
  if (oneNumbering.has(one.rail) && one.providerReference && other.providerReference) return null
  const apart = timeApart(one, other, timeZone)
  if (apart === null) return null
  const note = foldedNote(one.note)
  const isSameNote = note !== '' && note === foldedNote(other.note)
  const isSameName = commonTokens(one.payerName, other.payerName) >= 2
  return isSameNote || isSameName ? { points: (isSameNote ? 2 : 0) + (isSameName ? 1 : 0), apart } : null
}

/** The time between two payments: at most 36 hours, or a day where only days are known, three around a weekend. Null if it is more. */
function timeApart(one: PaymentFacts, other: PaymentFacts, timeZone: string): number | null {
  if (one.paidAt && other.paidAt) {
    const apart = Math.abs(Date.parse(one.paidAt) - Date.parse(other.paidAt))
    return apart <= 36 * hourMs ? apart : null
  }
  const days = [one, other].map((facts) => Date.parse(`${dayOfPayment(facts, timeZone)}T00:00:00Z`))
  const apart = Math.abs(days[0]! - days[1]!)
  const isWeekend = days.some((day) => [0, 1, 5, 6].includes(new Date(day).getUTCDay()))
  return apart <= (isWeekend ? 3 : 1) * dayMs ? apart : null
}
