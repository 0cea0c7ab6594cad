import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import type { SentMoney } from '#features/payments/server/service/reversals/settle-sent.ts'
import { withoutControlCharacters } from '#kit/text.ts'
import type { LineReason } from '../../rules.ts'
import type { Statement, StatementLine } from '../read/statements/statement.ts'

/** A line whose facts can be stored, or the reason why it is left out. */
export type CheckedLine =
  | { line: number; facts: PaymentFacts; skipped: null; unreadable: null }
  | { line: number; facts: PaymentFacts | null; skipped: LineReason; unreadable: null; sent?: SentMoney }
  | { line: number; facts: null; skipped: null; unreadable: LineReason }

const maxCents = 100_000_000
const aheadMs = 7 * 86_400_000

/** Checks the requirements of the payment book. Lines of other currencies and of payments that are not complete are left out. */
export function checkLines({ format, lines }: Statement, now: Date): CheckedLine[] {
  const shared = format === 'csv:mapped' ? repeatedReferences(lines) : new Set<string>()
  return lines.map((line): CheckedLine => {
    if (line.kind === 'unreadable') return unreadable(line.line, line.reason)
    if (line.kind === 'skipped')
      return {
        line: line.line,
        facts: null,
        skipped: line.reason,
        unreadable: null,
        ...(line.sent && { sent: line.sent }),
      }
    const reference = line.facts.providerReference
    const facts = plain({ ...line.facts, providerReference: reference && shared.has(reference) ? null : reference })
    const problem = problemOf(facts, now)
    if (problem) return unreadable(line.line, problem)
    const skipped = skippedFor(facts)
    if (skipped) return { line: line.line, facts, skipped, unreadable: null }
    return { line: line.line, facts, skipped: null, unreadable: null }
  })
}

const unreadable = (line: number, reason: LineReason): CheckedLine => ({
  line,
  facts: null,
  skipped: null,
  unreadable: reason,
})

/** A column with repeated values does not contain transaction numbers. */
function repeatedReferences(lines: StatementLine[]): Set<string> {
  const references = lines.flatMap((line) => (line.kind === 'payment' ? (line.facts.providerReference ?? []) : []))
  const uses = Map.groupBy(references, (reference) => reference)
  return new Set([...uses].filter(([, all]) => all.length > 1).map(([reference]) => reference))
}

const plain = (facts: PaymentFacts): PaymentFacts => ({
  ...facts,
  payerName: oneLine(facts.payerName, 200),
  payerHandle: oneLine(facts.payerHandle, 120),
  note: oneLine(facts.note, 500),
  providerReference: oneLine(facts.providerReference, 1_000),
})

/** Text of a payer in one line, without control and direction characters. */
function oneLine(text: string | null, most: number): string | null {
  const line = withoutControlCharacters((text ?? '').replace(/\s+/g, ' ')).trim()
  return [...line].slice(0, most).join('').trim() || null
}

function problemOf(facts: PaymentFacts, now: Date): LineReason | null {
  const day = facts.paidAt ?? facts.paidOn
  if (!day || day < '2000') return 'date'
  if (Date.parse(day) > now.getTime() + aheadMs) return 'future'
  if (facts.amount > maxCents) return 'too_much'
  if (!/^[A-Z]{3}$/.test(facts.currency)) return 'currency'
  return (facts.providerReference ?? '').length > 120 ? 'too_long' : null
}

function skippedFor({ currency, final }: PaymentFacts): LineReason | null {
  if (currency !== 'USD') return 'other_currency'
  return final ? null : 'pending'
}
