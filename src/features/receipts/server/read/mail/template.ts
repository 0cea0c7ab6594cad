import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import type { MailDocument } from './document.ts'

/** Who was paid, if the layout says so. An account is its last digits. */
type Recipient = { handle?: string | null; name?: string | null; account?: string | null }

/** The fields of one payment in a mail. `currency` is null if there is no code next to the amount. */
export type TemplatePayment = Pick<
  PaymentFacts,
  'direction' | 'amount' | 'final' | 'payerName' | 'payerHandle' | 'note' | 'providerReference'
> & { currency: string | null; recipient: Recipient }

export type NotMoneyIn = 'outgoing' | 'request' | 'refund' | 'canceled' | 'other_mail'
export type TemplateReading = { payments: TemplatePayment[] } | { notMoneyIn: NotMoneyIn }

/** One layout of a provider. `read` finds each field by its position and returns null if anything is not in its place. */
export type MailTemplate = { name: string; version: number; read: (mail: MailDocument) => TemplateReading | null }

/** A payment with defaults for what a layout does not say. */
export const moneyIn = (
  fields: Partial<TemplatePayment> & Pick<TemplatePayment, 'amount' | 'payerName'>,
): TemplateReading => ({
  payments: [
    {
      direction: 'in',
      currency: null,
      final: true,
      payerHandle: null,
      note: null,
      providerReference: null,
      recipient: {},
      ...fields,
    },
  ],
})

const pending =
  /\b(e-?check|pending|on hold|being held|unclaimed|not (yet )?(been )?(completed|claimed|accepted)|under review|in review|will clear|awaiting)\b/i
const canceled = /\b(cancell?ed|declined|failed|expired|was not completed)\b/i

/** Reads status words in lines that a provider writes. Lines with the payer's name or note do not belong here. */
export const statusOf = (lines: string[]): 'final' | 'pending' | 'canceled' =>
  lines.some((line) => canceled.test(line))
    ? 'canceled'
    : lines.some((line) => pending.test(line))
      ? 'pending'
      : 'final'
