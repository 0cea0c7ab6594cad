import { formatCents } from '#kit/money.ts'
import { withVisibleMarks } from '#kit/untrusted-text.ts'
import type { Evidence } from '../../admin-candidate-contract.ts'
import { moneyText } from '../../rules.ts'
import { commonTokens } from '../matching/names.ts'
import { dueOf } from '../matching/references.ts'
import type { PayerHistory } from '../matching/types.ts'
import type { Payment, PaymentComparison } from './compare-payment.ts'

const toleranceMs = 10 * 60 * 1000

/** Returns the four comparisons of a payment with an invoice that the desk shows. `history` has the customers for whom this payer paid before. */
export function evidenceOf(
  payment: Payment,
  openCents: number,
  { invoice, reasons }: PaymentComparison['shown'][number],
  history: PayerHistory[],
): Evidence[] {
  const due = dueOf(invoice)
  const names = reasons.some((reason) => reason.startsWith('The note names') && !reason.includes('another customer'))
  const namesOther = reasons.some((reason) => reason.includes('of another customer'))
  const isTypo = reasons.some((reason) => reason.includes('One typo away'))
  const isKnown = history.some(({ customerId }) => customerId === invoice.customerId)
  const hasName = commonTokens(payment.payerName, invoice.fullName) >= 2
  const isEarly = payment.paidAt !== null && Date.parse(payment.paidAt) < Date.parse(invoice.createdAt) - toleranceMs
  const isLate = (payment.paidAt ?? payment.paidOn) > invoice.expiresAt
  const sender = [payment.payerName, payment.payerHandle].filter(Boolean).join(', ')
  return [
    {
      about: 'reference',
      state: names ? 'same' : namesOther ? 'conflict' : payment.note || isTypo ? 'different' : 'unknown',
      payment: withVisibleMarks(payment.note) || 'No note',
      invoice: invoice.phrase ? `${invoice.phrase}, ${invoice.number}` : invoice.number,
    },
    {
      about: 'amount',
      state: openCents === due && payment.currency === 'USD' ? 'same' : 'different',
      payment: moneyText(openCents, payment.currency),
      invoice: invoice.held > 0 ? `${formatCents(due)} left of ${formatCents(invoice.amount)}` : formatCents(due),
    },
    {
      about: 'sender',
      state: isKnown || hasName ? 'same' : history.length > 0 ? 'conflict' : sender ? 'different' : 'unknown',
      payment: withVisibleMarks(sender) || 'Not known',
      invoice: [invoice.fullName, invoice.username].filter(Boolean).join(', '),
    },
    {
      about: 'time',
      state: isEarly ? 'conflict' : isLate ? 'different' : payment.paidAt === null ? 'unknown' : 'same',
      payment: payment.paidAt ?? payment.paidOn,
      invoice: invoice.submittedAt ?? invoice.createdAt,
    },
  ]
}
