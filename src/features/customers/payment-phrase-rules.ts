import type { AuditAction } from '#features/audit/rules.ts'
import { type Rail, railNames } from '#features/payments/rules.ts'
import { formatCents } from '#kit/money.ts'
import { type AuditFacts, numberOf, type Phrase, quoted, textOf } from './phrase-rules.ts'

type PaymentAction = Extract<AuditAction, `payment.${string}`>

const amountOf = ({ after }: AuditFacts): string => {
  const amount = numberOf(after, 'amount')
  return amount === undefined ? '' : ` of ${formatCents(amount)}`
}
/** Returns texts such as "Payment of $38.99 recorded", with the reason that was entered. */
const payment =
  (what: string, tone?: Phrase['tone']) =>
  (facts: AuditFacts): Phrase => ({
    title: `Payment${amountOf(facts)} ${what}`,
    detail: [quoted(facts.after, 'reason')],
    tone,
  })

/** The timeline texts for decisions about a customer's payments. Other actions are shown by their name. */
export const paymentPhrases: Partial<Record<PaymentAction, (facts: AuditFacts) => Phrase>> = {
  'payment.confirm': payment('matched to the order', 'ok'),
  'payment.credit': payment('added to the account credit', 'ok'),
  'payment.hold': payment('held until the rest arrives', 'warn'),
  'payment.link': payment('linked to an order that was already confirmed'),
  'payment.not_ours': payment('marked as not ours'),
  'payment.record': (facts) => ({
    title: `Payment${amountOf(facts)} recorded`,
    detail: [railNames[textOf(facts.after, 'rail') as Rail]],
  }),
  'payment.refund': (facts) => ({ title: `Refund${amountOf(facts)} planned`, tone: 'warn' }),
  'payment.refund_sent': (facts) => ({
    title: `Refund${amountOf(facts)} sent`,
    detail: [textOf(facts.after, 'reference')],
    tone: 'ok',
  }),
  'payment.release': (facts) => ({
    title: 'Held payment released',
    detail: [textOf(facts.after, 'invoice')],
    tone: 'warn',
  }),
  'payment.take_back': payment('taken back by the provider', 'bad'),
  'payment.bear': payment('taken back by the provider, and the loss absorbed', 'warn'),
  'payment.undo': () => ({ title: 'Payment decision undone', tone: 'warn' }),
}
