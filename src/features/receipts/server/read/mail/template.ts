import type { PaymentFacts } from '#features/payments/server/matching/types.ts'
import type { MailDocument } from './document.ts'

/** Who was paid, if the layout says so. `account` has the last digits of the account number. */
type Recipient = { handle?: string | null; name?: string | null; account?: string | null }

/** The fields of one payment in an email. `currency` is null if there is no currency code next to the amount. */
export type TemplatePayment = Pick<
  PaymentFacts,
  'direction' | 'amount' | 'final' | 'payerName' | 'payerHandle' | 'note' | 'providerReference'
> & { currency: string | null; recipient: Recipient }

export type NotMoneyIn = 'outgoing' | 'request' | 'refund' | 'canceled' | 'other_mail'
export type TemplateReading = { payments: TemplatePayment[] } | { notMoneyIn: NotMoneyIn }

/** One email layout of a provider. `read` finds each field by its position and returns null if the email does not have exactly this layout. */
export type MailTemplate = { name: string; version: number; read: (mail: MailDocument) => TemplateReading | null }

/** Creates the reading of one payment, with defaults for the fields that a layout does not contain. */
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

/** Returns the status that status words in these lines express. Pass only lines that the provider writes, not those with the payer's name or note. */
export const statusOf = (lines: string[]): 'final' | 'pending' | 'canceled' =>
  lines.some((line) => canceled.test(line))
    ? 'canceled'
    : lines.some((line) => pending.test(line))
      ? 'pending'
      : 'final'
