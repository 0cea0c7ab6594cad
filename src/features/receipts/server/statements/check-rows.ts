import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import type { SentMoney } from '#features/payments/server/service/reversals/settle-sent.ts'
import { withoutControlCharacters } from '#kit/text.ts'
import type { RowReason } from '../../rules.ts'
import type { Statement, StatementRow } from '../read/statements/statement.ts'

/** A row whose facts can be stored, or the reason why it is left out. */
export type CheckedRow =
  | { line: number; facts: PaymentFacts; skipped: null; unreadable: null }
  | { line: number; facts: PaymentFacts | null; skipped: RowReason; unreadable: null; sent?: SentMoney }
  | { line: number; facts: null; skipped: null; unreadable: RowReason }

const maxCents = 100_000_000
const aheadMs = 7 * 86_400_000

/** Checks whether each row can be stored in the payment book. Rows in other currencies and with incomplete payments are marked as skipped. */
export function checkRows({ format, rows }: Statement, now: Date): CheckedRow[] {
  const shared = format === 'csv:mapped' ? repeatedReferences(rows) : new Set<string>()
  return rows.map((row): CheckedRow => {
    if (row.kind === 'unreadable') return unreadable(row.line, row.reason)
    if (row.kind === 'skipped')
      return {
        line: row.line,
        facts: null,
        skipped: row.reason,
        unreadable: null,
        ...(row.sent && { sent: row.sent }),
      }
    const reference = row.facts.providerReference
    const facts = plain({ ...row.facts, providerReference: reference && shared.has(reference) ? null : reference })
    const problem = problemOf(facts, now)
    if (problem) return unreadable(row.line, problem)
    const skipped = skippedFor(facts)
    if (skipped) return { line: row.line, facts, skipped, unreadable: null }
    return { line: row.line, facts, skipped: null, unreadable: null }
  })
}

const unreadable = (line: number, reason: RowReason): CheckedRow => ({
  line,
  facts: null,
  skipped: null,
  unreadable: reason,
})

/** Returns the references that occur more than once. They are not used, because they cannot be transaction numbers. */
function repeatedReferences(rows: StatementRow[]): Set<string> {
  const references = rows.flatMap((row) => (row.kind === 'payment' ? (row.facts.providerReference ?? []) : []))
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

/** Returns payer text on one line, without control and direction characters, at most `maxLength` characters long. Null if nothing is left. */
function oneLine(text: string | null, maxLength: number): string | null {
  const line = withoutControlCharacters((text ?? '').replace(/\s+/g, ' ')).trim()
  return [...line].slice(0, maxLength).join('').trim() || null
}

function problemOf(facts: PaymentFacts, now: Date): RowReason | null {
  const day = facts.paidAt ?? facts.paidOn
  if (!day || day < '2000') return 'date'
  if (Date.parse(day) > now.getTime() + aheadMs) return 'future'
  if (facts.amount > maxCents) return 'too_much'
  if (!/^[A-Z]{3}$/.test(facts.currency)) return 'currency'
  return (facts.providerReference ?? '').length > 120 ? 'too_long' : null
}

function skippedFor({ currency, final }: PaymentFacts): RowReason | null {
  if (currency !== 'USD') return 'other_currency'
  return final ? null : 'pending'
}
