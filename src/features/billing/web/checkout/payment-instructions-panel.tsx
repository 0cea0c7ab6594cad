import { useSuspenseQuery } from '@tanstack/react-query'
import { getPaymentMethods } from '#features/settings/contract.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { hasIdentifyingCents } from '../../cents-rules.ts'
import type { InvoiceDetail } from '../../contract.ts'
import { methodNames, noRecipientText, offeredMethods, paymentNoteFor, recipientOf } from '../../rules.ts'
import { RejectionNote } from '../invoice/rejection-note.tsx'
import { CardPaymentPanel } from './card-payment-panel.tsx'
import { PayLink } from './pay-link.tsx'
import { PaymentProgressNote } from './payment-progress-note.tsx'
import { TransferPanel } from './transfer-panel.tsx'
import { usePaymentProgress } from './use-payment-progress.ts'

/** How to pay an open invoice: by the chosen method, or by each enabled method. */
export function PaymentInstructionsPanel({ detail }: { detail: InvoiceDetail }) {
  const { invoice, user, received } = detail
  const { data: paymentSettings } = useSuspenseQuery(query(getPaymentMethods))
  const { paymentMethod: method, submittedAt } = invoice
  const amount = invoice.amount - received
  const note = paymentNoteFor(paymentSettings.notePrefix, invoice)
  const sum = formatCents(amount)
  const { data: progress } = usePaymentProgress(invoice.invoiceNumber)

  if (amount === 0) {
    return (
      <Note tone="warn" className="no-print">
        {invoice.status === 'draft'
          ? 'There is nothing left to pay. Continue the checkout to confirm your order.'
          : 'There is nothing left to pay. The change takes effect once an administrator approves it.'}
      </Note>
    )
  }
  return (
    <Card title="Payment instructions" titleId="payment-instructions">
      <RejectionNote invoice={invoice} className="no-print mb-6" />
      <PaymentProgressNote invoiceNumber={invoice.invoiceNumber} className="no-print mb-6" />
      {received > 0 && (
        <Note tone="ok" className="no-print mb-6">
          We received {formatCents(received)} of {formatCents(invoice.amount)}. <b>{sum} is left.</b> Please use the
          same note again.
        </Note>
      )}
      {submittedAt && received === 0 && !progress?.found && (
        <Note tone="warn" className="no-print mb-6">
          {method === 'creditcard' ? 'You chose to pay by card on ' : 'You told us about your payment on '}
          <DateText value={submittedAt} />
          {method === 'creditcard'
            ? '. We activate your subscription as soon as it is paid.'
            : '. We are verifying it. If you have not sent the money yet, here is how.'}
        </Note>
      )}
      {method === 'creditcard' && (
        <CardPaymentPanel email={user.email} hours={paymentSettings.cardHours} invoice={invoice} />
      )}
      {(method === 'cashapp' || method === 'venmo') && (
        <TransferPanel
          method={method}
          paymentSettings={paymentSettings}
          cents={amount}
          note={note}
          isExact={received === 0 && hasIdentifyingCents(detail)}
        />
      )}
      {method === null && (
        <div className="grid gap-5">
          <p>Choose how to pay {sum}:</p>
          <dl className="grid gap-4 sm:max-xl:grid-cols-3 [&_dt]:font-semibold [&>div]:rounded-md [&>div]:border [&>div]:p-4">
            {offeredMethods(paymentSettings).map((by) => (
              <div key={by}>
                <dt>{methodNames[by]}</dt>
                <dd className="mt-1 text-15 text-fg-2">
                  {by === 'creditcard' ? (
                    'A secure payment link will be emailed to you.'
                  ) : recipientOf(by, paymentSettings) === null ? (
                    noRecipientText(by)
                  ) : (
                    <>
                      Send {sum} to <b className="text-fg">{recipientOf(by, paymentSettings)}</b> with the note{' '}
                      <b className="text-fg">{note}</b>.{by === 'venmo' && ' Set the payment to private.'}
                    </>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          <PayLink invoice={invoice} className="no-print justify-self-start max-sm:w-full" />
        </div>
      )}
    </Card>
  )
}
