import { findCandidates } from './candidates.ts'
import { unmetConditions } from './conditions.ts'
import { payerKeyOf } from './names.ts'
import { readNote } from './note.ts'
import { dueOf, isOpen, readReferences } from './references.ts'
import { resolverFor } from './resolver.ts'
import { type ScoreContext, scoreOf } from './score.ts'
import type {
  Evidence,
  InvoiceCandidate,
  Lookups,
  MatchResult,
  MatchSettings,
  PaymentFacts,
  ScoredCandidate,
} from './types.ts'

/** Stored with each match. Increase it when a code change may match the same payment differently. */
const matcherVersion = 1
/** Candidates with fewer than `shownFrom` points are not shown. The first candidate must be `minLead` points ahead of the next to be the first choice. */
const shownFrom = 25
const minLead = 15
const maxShown = 3

type Choice = { level: MatchResult['level']; invoices: InvoiceCandidate[] }

/**
 * Matches a payment to invoices. Deterministic: the same facts, evidence, settings and lookup results give the same match. Only the conditions decide about
 * automatic confirmation. The score only ranks the candidates.
 */
export async function matchPayment(
  facts: PaymentFacts,
  evidence: Evidence,
  lookups: Lookups,
  settings: MatchSettings,
): Promise<MatchResult> {
  if (facts.direction === 'reversal') return matchReversal(facts, evidence, lookups, settings)
  const references = await readReferences(facts, lookups, settings)
  const { choices, context } = await findCandidates(facts, references, lookups, settings)
  const scored = choices.map((invoices) => scoreOf(invoices, context)).sort(byScore)
  const choice = choose(scored, context)
  return finish(choice, scored, { facts, evidence, settings, lookups, context })
}

const byScore = (one: ScoredCandidate, other: ScoredCandidate): number =>
  other.score - one.score || one.invoices[0]!.id - other.invoices[0]!.id

function choose(scored: ScoredCandidate[], { references, facts, settings }: ScoreContext): Choice {
  const isRightMoney = facts.currency === settings.currency
  const named = references.named.map(({ invoice }) => invoice)
  switch (references.status) {
    case 'exact':
      return { level: isRightMoney ? 'exact' : 'suggest', invoices: named }
    case 'reused':
      return { level: 'suggest', invoices: named }
    case 'ambiguous':
      if (references.named.every(({ by }) => by === 'corrected')) return amongScored(scored)
      return { level: 'suggest', invoices: amongNamed(named, facts) }
    default:
      return amongScored(scored)
  }
}

/** Chooses among several named invoices: all if exactly their sum arrived, otherwise the only one with exactly this amount, otherwise all. */
function amongNamed(named: InvoiceCandidate[], facts: PaymentFacts): InvoiceCandidate[] {
  const sum = named.reduce((total, invoice) => total + dueOf(invoice), 0)
  const exactly = named.filter((invoice) => dueOf(invoice) === facts.amount)
  return sum !== facts.amount && exactly.length === 1 ? exactly : named
}

/** Returns the candidate with the most points, unless it has too few points or another one is too close. Administrators decide in these cases. */
function amongScored(scored: ScoredCandidate[]): Choice {
  const [first] = scored
  const none: Choice = { level: 'none', invoices: [] }
  if (!first || first.score < shownFrom) return none
  const members = new Set(first.invoices.map(({ id }) => id))
  const rival = scored.find(({ invoices }) => invoices.some(({ id }) => !members.has(id)))
  if (rival && first.score - rival.score < minLead) return none
  return { level: 'suggest', invoices: first.invoices }
}

type Finish = {
  facts: PaymentFacts
  evidence: Evidence
  settings: MatchSettings
  lookups: Lookups
  context: ScoreContext
}

async function finish(chosen: Choice, scored: ScoredCandidate[], parts: Finish): Promise<MatchResult> {
  const { facts, evidence, settings, lookups, context } = parts
  const { invoices } = chosen
  const level = invoices.length > 0 ? chosen.level : 'none'
  const [first] = invoices
  const today = await lookups.confirmedToday(payerKeyOf(facts), first?.customerId ?? 0)
  const unmet = unmetConditions({ ...context, evidence, invoices, today })
  const isChosen = (each: ScoredCandidate) => each.invoices.every((invoice) => invoices.includes(invoice))
  const wouldConfirm = level === 'exact' && invoices.length === 1 && unmet.length === 0
  return {
    matcherVersion,
    level,
    resolver: resolverFor(invoices, facts, settings),
    invoices,
    alternatives: first ? await otherOpenInvoices(invoices, lookups, settings) : [],
    candidates: scored.filter((each) => each.score >= shownFrom || isChosen(each)).slice(0, maxShown),
    blockedBy: unmet,
    isRelated: scored.some(({ score }) => score >= shownFrom) || isRelated(context),
    wouldConfirm,
    auto: wouldConfirm && settings.mode === 'on',
  }
}

function isRelated({ facts, settings, references, history, byCode }: ScoreContext): boolean {
  const isNamed = references.named.length > 0 || readNote(facts.note, settings.notePrefix).numbers.length > 0
  return isNamed || history.length > 0 || byCode.length > 0
}

async function otherOpenInvoices(
  invoices: InvoiceCandidate[],
  lookups: Lookups,
  settings: MatchSettings,
): Promise<InvoiceCandidate[]> {
  const chosen = new Set(invoices.map(({ id }) => id))
  const open = await lookups.openInvoicesOf([...new Set(invoices.map(({ customerId }) => customerId))])
  return open.filter((invoice) => !chosen.has(invoice.id) && isOpen(invoice, settings.now))
}

/** Matches a reversal to the invoice of the payment that it takes back. Reversals are never decided automatically. */
async function matchReversal(
  facts: PaymentFacts,
  evidence: Evidence,
  lookups: Lookups,
  settings: MatchSettings,
): Promise<MatchResult> {
  const names = [facts.reversesReference, facts.providerReference].filter((name) => name !== null)
  let invoice: InvoiceCandidate | null = null
  for (const name of names) invoice ??= await lookups.invoiceOfPayment(facts.rail, name)
  const context: ScoreContext = {
    facts,
    settings,
    references: { named: [], status: 'missing' },
    byCode: [],
    byCents: [],
    history: [],
    customers: new Map(),
  }
  const choice: Choice = { level: 'exact', invoices: invoice ? [invoice] : [] }
  const result = await finish(choice, [], { facts, evidence, settings, lookups, context })
  return { ...result, alternatives: [] }
}
