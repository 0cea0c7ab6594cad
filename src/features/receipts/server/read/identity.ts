import { createHash } from 'node:crypto'
import { nameTokens, payerKeyOf } from '#features/payments/server/matching/names.ts'
import type { PaymentFacts, Rail } from '#features/payments/server/matching/types.ts'

/** A payment with the source that reported it: `mail`, or the format of a statement. */
export type SourcedPayment = { facts: PaymentFacts; source: string }

/** A report of a payment, with the key that its source has for it. */
export type Receipt = { source: string; key: string }
export type BookedPayment = { facts: PaymentFacts; receipts: Receipt[] }

/** For each new payment, in order: the recorded payment that it equals and how that was found, null if it is new; and the receipt to store. */
export type Joined = {
  booked: BookedPayment | null
  by: 'reference' | 'line' | 'evidence' | null
  receipt: Receipt
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

// Cached because creating a formatter takes longer than using it a hundred times.
let lastFormat: { timeZone: string; format: Intl.DateTimeFormat } | undefined
/** The day of a payment in the account's time zone. */
export function dayOfPayment({ paidOn, paidAt }: PaymentFacts, timeZone: string): string {
  if (paidOn || !paidAt) return paidOn ?? ''
  if (lastFormat?.timeZone !== timeZone)
    lastFormat = { timeZone, format: new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }) }
  return lastFormat.format.format(new Date(paidAt))
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
 * Compares new payments of one source with the book, as multisets: two equal lines of a day are two payments, and the email, the CSV row and the bank
 * line of one payment are one. Each payment of the book is matched at most once. The result does not depend on the order of the book.
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
  const describe = describer(timeZone)
  const wanted = new Set(incoming.filter((_, at) => !results[at]!.booked).map(({ source }) => source))
  // Most of the book is from the source itself. Those payments are left out before they are described.
  const others = book.filter(
    (booked) => !taken.has(booked) && [...wanted].some((source) => isNew(booked.receipts, source)),
  )
  const sameMoney = indexed(others, describe)
  const pairs = incoming.flatMap(({ facts, source }, at) => {
    if (results[at]!.booked) return []
    return similarPayments(sameMoney, describe(facts))
      .filter((booked) => isNew(booked.receipts, source))
      .flatMap((booked) => {
        const likeness = likenessOf(describe(facts), describe(booked.facts))
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

const isNew = (receipts: Receipt[], source: string): boolean => !receipts.some((receipt) => receipt.source === source)

/** Payments by their money with each word of the name and the whole note: only those that share one can be alike. */
type Index = Map<string, { booked: BookedPayment; place: number }[]>
const partsOf = ({ facts, note, tokens }: ComparableFacts): string[] => {
  const money = moneyOf(facts)
  return [...(note ? [`${money} note ${note}`] : []), ...new Set(tokens.map((token) => `${money} name ${token}`))]
}
function indexed(book: BookedPayment[], describe: (facts: PaymentFacts) => ComparableFacts): Index {
  const index: Index = new Map()
  for (const [place, booked] of book.entries()) {
    const entry = { booked, place }
    for (const part of partsOf(describe(booked.facts))) {
      const found = index.get(part)
      if (found) found.push(entry)
      else index.set(part, [entry])
    }
  }
  return index
}
/** The payments that share the note or a word of the name, in the order of the book. */
function similarPayments(index: Index, facts: ComparableFacts): BookedPayment[] {
  const found = new Set(partsOf(facts).flatMap((part) => index.get(part) ?? []))
  return [...found].sort((one, other) => one.place - other.place).map(({ booked }) => booked)
}

/** Rails on which every source uses the provider's number: two numbers are two payments. */
const oneNumbering = new Set<Rail>(['venmo', 'paypal', 'zelle', 'wise', 'chime', 'card', 'crypto'])

const moneyOf = ({ rail, direction, amount, currency }: PaymentFacts): string =>
  `${rail} ${direction} ${amount} ${currency}`

/** The fields of a payment that are compared. `day` is the start of its day in UTC, `moment` is null where only a day is known. */
type ComparableFacts = { facts: PaymentFacts; moment: number | null; day: number; note: string; tokens: string[] }
function describer(timeZone: string): (facts: PaymentFacts) => ComparableFacts {
  const known = new Map<PaymentFacts, ComparableFacts>()
  return (facts) => {
    const found = known.get(facts) ?? {
      facts,
      moment: facts.paidAt === null ? null : Date.parse(facts.paidAt),
      day: Date.parse(`${dayOfPayment(facts, timeZone)}T00:00:00Z`),
      note: foldedNote(facts.note),
      tokens: nameTokens(facts.payerName),
    }
    known.set(facts, found)
    return found
  }
}

/** How alike two payments of the same money from different sources are; null if they are not the same payment. */
function likenessOf(one: ComparableFacts, other: ComparableFacts): { points: number; apart: number } | null {
  const haveNumbers = one.facts.providerReference && other.facts.providerReference
  if (haveNumbers && oneNumbering.has(one.facts.rail)) return null
  const apart = timeApart(one, other)
  if (apart === null) return null
  const isSameNote = one.note !== '' && one.note === other.note
  const isSameName = one.tokens.filter((token) => other.tokens.includes(token)).length >= 2
  return isSameNote || isSameName ? { points: (isSameNote ? 2 : 0) + (isSameName ? 1 : 0), apart } : null
}

/** The time between two payments: at most 36 hours, or a day where only days are known, three around a weekend. Null if it is more. */
function timeApart(one: ComparableFacts, other: ComparableFacts): number | null {
  if (one.moment !== null && other.moment !== null) {
    const apart = Math.abs(one.moment - other.moment)
    return apart <= 36 * hourMs ? apart : null
  }
  const apart = Math.abs(one.day - other.day)
  const isWeekend = [one.day, other.day].some((day) => [0, 1, 5, 6].includes(new Date(day).getUTCDay()))
  return apart <= (isWeekend ? 3 : 1) * dayMs ? apart : null
}
