import { hasCheckCharacter, repairsOf } from '#features/billing/check-character-rules.ts'
import { invoiceNumberOf } from '#features/billing/rules.ts'
import { readNote, type TypedNumber } from './note.ts'
import type { InvoiceCandidate, Lookups, MatchSettings, PaymentFacts, PhraseHolder } from './types.ts'

/** How a note names an invoice. `reused`: by a phrase that another invoice had within 90 days. `corrected`: by a number with one typo. */
export type NamedBy = 'number' | 'phrase' | 'reused' | 'corrected'
export type NamedInvoice = { invoice: InvoiceCandidate; by: NamedBy; written: string; isChecked: boolean }
export type References = {
  named: NamedInvoice[]
  status: 'missing' | 'exact' | 'corrected' | 'ambiguous' | 'reused'
}

const reuseAfterMs = 90 * 24 * 60 * 60 * 1000

/** Returns the cents that are still due for an invoice. */
export const dueOf = (invoice: InvoiceCandidate): number => invoice.amount - invoice.held

/** Whether an invoice is a draft or pending and its deadline has not passed. */
export const isOpen = (invoice: InvoiceCandidate, now: Date): boolean =>
  (invoice.status === 'draft' || invoice.status === 'pending') && new Date(invoice.expiresAt) > now

/** Finds the invoices that the note of a payment names: by exact number, by phrase, or by a number with one typo. */
export async function readReferences(
  facts: PaymentFacts,
  lookups: Lookups,
  settings: MatchSettings,
): Promise<References> {
  const { numbers, wordPairs } = readNote(facts.note, settings.notePrefix)
  const wanted = numbers.map(({ six }) => invoiceNumberOf(six))
  const byNumber = wanted.length > 0 ? await lookups.invoicesByNumber(wanted) : []
  const holders = wordPairs.length > 0 ? await lookups.phraseHolders(wordPairs) : []
  const exact: NamedInvoice[] = [
    ...byNumber.map((invoice) => ({
      invoice,
      by: 'number' as const,
      written: invoice.number,
      isChecked: hasCheckCharacter(invoice.number.slice(4)),
    })),
    ...namedByPhrase(holders, settings.now),
  ]
  const found = new Set(byNumber.map(({ number }) => number))
  const unresolved = numbers.filter(({ six }) => !found.has(invoiceNumberOf(six)))
  const corrected = await correctedNumbers(unresolved, exact.length > 0, { facts, lookups, settings })
  const named = withoutRepeats([...exact, ...corrected])
  return { named, status: statusOf(named, unresolved) }
}

function namedByPhrase(holders: PhraseHolder[], now: Date): NamedInvoice[] {
  const recentSince = new Date(now.getTime() - reuseAfterMs)
  return [...Map.groupBy(holders, ({ phrase }) => phrase)].flatMap(([phrase, all]) => {
    const recent = all.filter(({ until }) => until === null || new Date(until) > recentSince)
    const known = recent.flatMap(({ invoice }) => invoice ?? [])
    const holder = known.find((invoice) => isOpen(invoice, now)) ?? known[0]
    if (!holder) return []
    const by = recent.length > 1 ? ('reused' as const) : ('phrase' as const)
    return [{ invoice: holder, by, written: phrase, isChecked: false }]
  })
}

type Context = { facts: PaymentFacts; lookups: Lookups; settings: MatchSettings }

/**
 * Finds open invoices whose number differs from a typed number by one typo. For a number without `ORD` before it, only if the note names nothing else and the
 * amount matches.
 */
async function correctedNumbers(
  typed: TypedNumber[],
  isNamed: boolean,
  { facts, lookups, settings }: Context,
): Promise<NamedInvoice[]> {
  const all: NamedInvoice[] = []
  for (const { six, isMarked } of typed) {
    if (!isMarked && isNamed) continue
    const numbers = repairsOf(six).map(invoiceNumberOf)
    const open = (await lookups.invoicesByNumber(numbers)).filter((invoice) => isOpen(invoice, settings.now))
    const exactly = open.filter((invoice) => dueOf(invoice) === facts.amount)
    const likely = exactly.length === 1 || !isMarked ? exactly : open
    for (const invoice of likely)
      all.push({ invoice, by: 'corrected', written: invoiceNumberOf(six), isChecked: false })
  }
  return all
}

function withoutRepeats(named: NamedInvoice[]): NamedInvoice[] {
  const once = new Map<number, NamedInvoice>()
  for (const each of named) if (!once.has(each.invoice.id)) once.set(each.invoice.id, each)
  return [...once.values()]
}

function statusOf(named: NamedInvoice[], unresolved: TypedNumber[]): References['status'] {
  const [first] = named
  if (!first) return 'missing'
  if (named.length > 1) return 'ambiguous'
  if (first.by === 'corrected') return 'corrected'
  // The note contains another number that matches no invoice, so two orders may be meant.
  if (unresolved.some(({ six, isMarked }) => isMarked && /\d/.test(six))) return 'ambiguous'
  return first.by === 'reused' ? 'reused' : 'exact'
}
