import * as settings from '#features/settings/server/service.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { payments } from '#server/db/tables.ts'
import { provableRails } from '../../automation-rules.ts'
import type { CaseKind } from '../../rules.ts'
import { matchPayment } from '../matching/match.ts'
import { dueOf } from '../matching/references.ts'
import { resolverFor } from '../matching/resolver.ts'
import type { Evidence, MatchResult, MatchSettings, PaymentFacts, Resolver } from '../matching/types.ts'
import { readSwitch } from './automation/read-automation.ts'
import type { FoundInvoice } from './lookup-statements.ts'
import { type FindingLookups, lookupsOf } from './lookups.ts'

export type Payment = typeof payments.$inferSelect
/** The columns of a payment that are compared. */
export type PaymentToCompare = Pick<
  Payment,
  | 'rail'
  | 'direction'
  | 'fee'
  | 'currency'
  | 'final'
  | 'paidAt'
  | 'paidOn'
  | 'payerName'
  | 'payerHandle'
  | 'note'
  | 'providerReference'
>
/** The match of a payment, with the invoices that are shown. `top` is the first choice. */
export type PaymentComparison = Pick<MatchResult, 'level' | 'blockedBy' | 'wouldConfirm'> & {
  kind: CaseKind
  ready: boolean
  /** Whether anything connects the payment with an order or a customer. */
  isRelated: boolean
  score: number
  top: FoundInvoice | undefined
  shown: { invoice: FoundInvoice; kind: CaseKind; score: number; reasons: string[]; together: FoundInvoice[] }[]
  /** Other open invoices of the first choice's customer. */
  others: FoundInvoice[]
}

/** The evidence of a payment that an administrator or a statement reports. Such a payment is never confirmed automatically. */
export const stated: Evidence = { auth: 'stated', recipientIsOurs: false, templateKnown: true, signedAt: null }
const nothingToday = { count: 0, cents: 0, ofPayer: 0, ofCustomer: 0 }
const kinds: Record<Resolver, CaseKind> = {
  confirm: 'exact',
  link: 'linked',
  part: 'part',
  join: 'join',
  over: 'over',
  late: 'late',
  duplicate: 'double',
  split: 'split',
  unknown: 'unknown',
  reversal: 'reversal',
}
/** Unmet conditions that an administrator has to check even if the reference and the amount match. */
const conflicts = ['payer_conflict', 'code_twice', 'own_invoice', 'reference_reused', 'currency', 'not_final']

/**
 * Compares the open part of a payment with the invoices that it may belong to. Writes nothing. `evidence` is what is known about the source of the payment,
 * `chosenId` an invoice that an administrator chose.
 */
export async function comparePayment(
  db: Db | Tx,
  payment: PaymentToCompare,
  openCents: number,
  evidence: Evidence = stated,
  chosenId?: number,
): Promise<PaymentComparison> {
  const terms = await matchSettings(db)
  return compare({ payment, openCents, evidence, chosenId }, terms, lookupsOf(db))
}

type ToCompare = { payment: PaymentToCompare; openCents: number; evidence: Evidence; chosenId?: number | undefined }

/** Like `comparePayment`, with the given settings and lookups. */
export async function compare(
  { payment, openCents, evidence, chosenId }: ToCompare,
  terms: MatchSettings,
  lookups: FindingLookups,
): Promise<PaymentComparison> {
  if (payment.direction === 'reversal') return takenBack
  const facts = factsOf(payment, openCents)
  // The daily limits are not queried for payments that are never confirmed automatically, because a statement can contain thousands of them.
  const ofDay = evidence.auth === 'stated' ? { confirmedToday: () => nothingToday } : {}
  const match = await matchPayment(facts, evidence, { ...lookups, ...ofDay }, terms)
  const ids = new Set([
    ...(chosenId ? [chosenId] : []),
    ...match.invoices.map(({ id }) => id),
    ...match.alternatives.map(({ id }) => id),
    ...match.candidates.flatMap(({ invoices }) => invoices.map(({ id }) => id)),
  ])
  const { found } = lookups
  const missing = [...ids].filter((id) => !found.has(id))
  if (missing.length > 0) await lookups.invoicesById(missing)
  const rows = (invoices: { id: number }[]) => invoices.flatMap(({ id }) => found.get(id) ?? [])
  const describe = (invoices: FoundInvoice[]) => {
    const [invoice] = invoices
    if (!invoice) return []
    const scored = match.candidates.find((each) => each.invoices[0]!.id === invoice.id)
    const together = invoices.length > 1 ? invoices : sumWith(invoice, rows(match.alternatives), openCents)
    const resolver = resolverFor(together.length > 1 ? together : [invoice], facts, terms)
    return [
      {
        invoice,
        kind: kinds[resolver],
        score: scored?.score ?? 0,
        reasons: scored?.reasons.map(({ sentence }) => sentence) ?? [],
        together,
      },
    ]
  }
  const chosen = chosenId ? describe(rows([{ id: chosenId }])) : []
  const first = describe(rows(match.invoices))
  const further = match.candidates.flatMap(({ invoices }) => describe(rows(invoices)))
  const shown = [...new Map([...chosen, ...first, ...further].map((each) => [each.invoice.id, each])).values()]
  const kind = first[0]?.kind ?? 'unknown'
  const isExact = match.level === 'exact'
  const hasConflict = match.blockedBy.some(({ code }) => conflicts.includes(code))
  return {
    level: match.level,
    isRelated: match.isRelated,
    blockedBy: match.blockedBy,
    wouldConfirm: match.wouldConfirm,
    kind: kind === 'exact' && !isExact ? 'likely' : kind,
    ready: isExact && !hasConflict && (kind === 'exact' || kind === 'join' || kind === 'linked'),
    score: first[0]?.score ?? 0,
    top: first[0]?.invoice,
    shown,
    others: rows(match.alternatives),
  }
}

/** The result for a reversal, which belongs to the payment that it takes back and not to an invoice. */
const takenBack: PaymentComparison = {
  ...{ level: 'none', kind: 'reversal', blockedBy: [], wouldConfirm: false, ready: false, isRelated: true },
  ...{ score: 0, top: undefined, shown: [], others: [] },
}

/** Returns the open invoices of the customer if exactly `cents` are due for them in total, otherwise an empty list. */
function sumWith(invoice: FoundInvoice, others: FoundInvoice[], cents: number): FoundInvoice[] {
  const all = [
    invoice,
    ...others.filter(({ id, customerId }) => id !== invoice.id && customerId === invoice.customerId),
  ]
  const isSum = all.length > 1 && all.length <= 4 && all.reduce((sum, each) => sum + dueOf(each), 0) === cents
  return isSum ? all : []
}

/** Returns the facts of a payment for the matcher. The amount is `openCents`, the part that is not decided yet. */
export const factsOf = (payment: PaymentToCompare, openCents: number): PaymentFacts => ({
  rail: payment.rail,
  direction: payment.direction === 'reversal' ? 'reversal' : 'in',
  amount: openCents,
  fee: payment.fee,
  currency: payment.currency,
  final: payment.final,
  paidAt: payment.paidAt,
  paidOn: payment.paidOn,
  payerName: payment.payerName || null,
  payerHandle: payment.payerHandle || null,
  note: payment.note || null,
  providerReference: payment.providerReference,
  reversesReference: null,
})

/** Reads the settings of the matcher. */
export async function matchSettings(db: Db | Tx): Promise<MatchSettings> {
  const { notePrefix } = await settings.read(db, 'payments')
  const { secondPersonDollars } = await settings.read(db, 'paymentDesk')
  const { mode, rails, maxCents, perDay, perDayCents, perPayerDay, perCustomerDay } = await readSwitch(db)
  return {
    now: new Date(),
    notePrefix,
    currency: 'USD',
    mode,
    rails: provableRails.filter((rail) => rails.includes(rail)),
    // A payment that needs two administrators is never confirmed automatically.
    maxCents: secondPersonDollars === 0 ? maxCents : Math.min(maxCents, secondPersonDollars * 100),
    ...{ perDay, perDayCents, perPayerDay, perCustomerDay },
  }
}
