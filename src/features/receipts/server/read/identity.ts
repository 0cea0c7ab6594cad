import { createHash } from 'node:crypto'
import { nameTokens, payerKeyOf } from '#features/payments/server/matching/names.ts'
import type { PaymentFacts, Rail } from '#features/payments/server/matching/types.ts'

/** A payment with the source that reported it: `mail`, `event` or the format of a statement. */
export type SourcedPayment = { facts: PaymentFacts; source: string }

/** One report of a payment. `key` identifies the payment within its source. */
export type Receipt = { source: string; key: string }
export type BookedPayment = { facts: PaymentFacts; receipts: Receipt[] }

/**
 * The result for one incoming payment: the recorded payment that it is identical to and how that was found, both null if it is new, and the receipt to store.
 */
export type JoinResult = {
  booked: BookedPayment | null
  by: 'reference' | 'line' | 'evidence' | null
  receipt: Receipt
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

// Cached because creating a formatter takes longer than using it a hundred times.
let lastFormat: { timeZone: string; format: Intl.DateTimeFormat } | undefined
/** Returns the day of a payment in `timeZone`. */
export function dayOfPayment({ paidOn, paidAt }: PaymentFacts, timeZone: string): string {
  if (paidOn || !paidAt) return paidOn ?? ''
  if (lastFormat?.timeZone !== timeZone)
    lastFormat = { timeZone, format: new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }) }
  return lastFormat.format.format(new Date(paidAt))
}

/** Normalizes a note for comparison: only letters and digits, in upper case. */
const foldedNote = (note: string | null): string =>
  (note ?? '')
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** Returns a key that identifies a payment: its provider reference, otherwise its day, amount, currency, payer and note. */
export function identityOf(facts: PaymentFacts, timeZone: string): { key: string; isReference: boolean } {
  const scope = `${facts.rail} ${facts.direction}`
  if (facts.providerReference) return { key: `${scope} ${facts.providerReference}`, isReference: true }
  const note = createHash('sha256').update(foldedNote(facts.note)).digest('hex').slice(0, 16)
  const payer = facts.payerHandle ? payerKeyOf(facts) : nameTokens(facts.payerName).join(' ')
  const parts = [scope, dayOfPayment(facts, timeZone), facts.amount, facts.currency, payer, note]
  return { key: parts.join('|'), isReference: false }
}

/**
 * Finds out which incoming payments are already in the book, and returns one result per incoming payment, in their order. Two identical rows of a day are two
 * payments. An email, a CSV row and a bank row about the same payment are one. Each payment in the book is used at most once. The result does not depend on the
 * order of the book.
 */
export function joinPayments(incoming: SourcedPayment[], book: BookedPayment[], timeZone: string): JoinResult[] {
  const byKey = new Map<string, BookedPayment>()
  for (const booked of book) {
    const { key, isReference } = identityOf(booked.facts, timeZone)
    if (isReference) byKey.set(key, booked)
    for (const receipt of booked.receipts) byKey.set(receipt.key, booked)
  }
  const counts = new Map<string, number>()
  const taken = new Set<BookedPayment>()
  const results = incoming.map(({ facts, source }): JoinResult => {
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
  // Most payments in the book come from the same source. They are left out first, because describing a payment is expensive.
  const others = book.filter(
    (booked) => !taken.has(booked) && [...wanted].some((source) => isNew(booked.receipts, source)),
  )
  const sameMoney = indexed(others, describe)
  const pairs = incoming.flatMap(({ facts, source }, at) => {
    if (results[at]!.booked) return []
    return similarPayments(sameMoney, describe(facts))
      .filter((booked) => isNew(booked.receipts, source))
      .flatMap((booked) => {
        const similarity = similarityOf(describe(facts), describe(booked.facts))
        return similarity ? [{ at, booked, ...similarity }] : []
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

/**
 * An index of payments. Its keys combine rail, direction, amount and currency with a word of the payer name or with the note. Only payments that share a key
 * can be the same payment.
 */
type Index = Map<string, { booked: BookedPayment; position: number }[]>
const partsOf = ({ facts, note, tokens }: ComparableFacts): string[] => {
  const money = moneyOf(facts)
  return [...(note ? [`${money} note ${note}`] : []), ...new Set(tokens.map((token) => `${money} name ${token}`))]
}
function indexed(book: BookedPayment[], describe: (facts: PaymentFacts) => ComparableFacts): Index {
  const index: Index = new Map()
  for (const [position, booked] of book.entries()) {
    const entry = { booked, position }
    for (const part of partsOf(describe(booked.facts))) {
      const found = index.get(part)
      if (found) found.push(entry)
      else index.set(part, [entry])
    }
  }
  return index
}
/** Returns the payments that share the note or a word of the name with `facts`, in the order in which they were indexed. */
function similarPayments(index: Index, facts: ComparableFacts): BookedPayment[] {
  const found = new Set(partsOf(facts).flatMap((part) => index.get(part) ?? []))
  return [...found].sort((one, other) => one.position - other.position).map(({ booked }) => booked)
}

/** Rails on which all sources use the same transaction numbers, so that two different numbers mean two payments. */
const oneNumbering = new Set<Rail>(['venmo', 'paypal', 'zelle', 'wise', 'chime', 'card', 'crypto'])

const moneyOf = ({ rail, direction, amount, currency }: PaymentFacts): string =>
  `${rail} ${direction} ${amount} ${currency}`

/**
 * The fields of a payment that are compared. `day` is the start of its day as a UTC timestamp in ms. `moment` is its timestamp in ms, or null if only the day
 * is known.
 */
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

/**
 * Compares two payments of the same amount from different sources. Returns how similar they are (`points`) and how many ms they are apart, or null if they are
 * not the same payment.
 */
function similarityOf(one: ComparableFacts, other: ComparableFacts): { points: number; apart: number } | null {
  const haveNumbers = one.facts.providerReference && other.facts.providerReference
  if (haveNumbers && oneNumbering.has(one.facts.rail)) return null
  const apart = timeApart(one, other)
  if (apart === null) return null
  const isSameNote = one.note !== '' && one.note === other.note
  const isSameName = one.tokens.filter((token) => other.tokens.includes(token)).length >= 2
  return isSameNote || isSameName ? { points: (isSameNote ? 2 : 0) + (isSameName ? 1 : 0), apart } : null
}

/**
 * Returns the time between two payments in ms. Null if it is longer than 36 hours; if only a day is known, longer than one day, or three days around a weekend.
 */
function timeApart(one: ComparableFacts, other: ComparableFacts): number | null {
  if (one.moment !== null && other.moment !== null) {
    const apart = Math.abs(one.moment - other.moment)
    return apart <= 36 * hourMs ? apart : null
  }
  const apart = Math.abs(one.day - other.day)
  const isWeekend = [one.day, other.day].some((day) => [0, 1, 5, 6].includes(new Date(day).getUTCDay()))
  return apart <= (isWeekend ? 3 : 1) * dayMs ? apart : null
}
