import type { Instant } from '#kit/dates.ts'
import type { CreditNoteDetail, Invoice, Refund } from './contract.ts'
import { defaultDescription } from './rules.ts'

type RefundStatus = NonNullable<Refund['request']>['status']

/** Returns the displayed number of a credit note: `CN-000042`. */
export const formatCreditNoteNumber = (number: number): string => `CN-${String(number).padStart(6, '0')}`
/** Returns the numeric part of a displayed credit note number; undefined for any other string. */
export function parseCreditNoteNumber(name: string): number | undefined {
  const number = Number(/^CN-(\d{6,10})$/.exec(name)?.[1])
  return number >= 1 && number <= 2147483647 ? number : undefined
}

type RefundCandidate = Pick<Invoice, 'status' | 'amount'> & {
  usedCredit: boolean
  request: RefundStatus | null
  until: Instant | null
  isOver: boolean
}
/** Returns why a refund of an invoice cannot be requested, as shown to the customer; null if it can be requested. */
export function refundRefusal({ status, amount, usedCredit, request, until, isOver }: RefundCandidate): string | null {
  if (status === 'refunded') return 'This invoice is already refunded.'
  if (request === 'pending') return 'You already requested a refund of this invoice. An administrator is reviewing it.'
  if (request !== null)
    return 'A refund of this invoice was already decided. Please contact support if you have a question about it.'
  if (status !== 'paid') return 'Only a paid invoice can be refunded.'
  if (amount === 0 && !usedCredit) return 'Nothing was paid for this invoice, so there is nothing to refund.'
  if (until === null) return 'There is no money-back guarantee for this invoice.'
  return isOver ? `The money-back guarantee of this invoice ended on ${longDay.format(new Date(until))}.` : null
}
const longDay = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** Returns the items of a credit note: the invoice's items with the opposite sign. They add up to the negated amount of the invoice. */
export function creditNoteItems({
  invoice,
  lines,
}: Pick<CreditNoteDetail, 'invoice' | 'lines'>): { description: string; amount: number }[] {
  const sold =
    lines.length > 0 ? lines : [{ description: invoice.description || defaultDescription, amount: invoice.amount }]
  return sold.map(({ description, amount }) => ({ description, amount: -amount }))
}
