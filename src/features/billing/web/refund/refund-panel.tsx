import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { pathOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Card } from '#web/ui/card.tsx'
import { Money } from '#web/ui/money.tsx'
import { Note } from '#web/ui/note.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { downloadCreditNote, listRefunds, type Refund } from '../../contract.ts'

const RefundDialog = lazy(() => import('./refund-dialog.tsx').then((module) => ({ default: module.RefundDialog })))

/** The money-back guarantee of the customer's own payment; renders nothing for an unpaid invoice. */
export function RefundPanel({ invoiceNumber }: { invoiceNumber: string }) {
  const { data: refunds } = useQuery(query(listRefunds))
  const refund = refunds?.find((each) => each.invoiceNumber === invoiceNumber)
  if (!refund || (refund.until === null && !refund.request)) return null
  return (
    <Card title="Money-back guarantee" titleId="money-back" className="no-print mt-5">
      {refund.request ? (
        <RequestStatus refund={refund} request={refund.request} />
      ) : refund.refusal ? (
        <p className="text-fg-2">{refund.refusal}</p>
      ) : (
        <RequestOffer refund={refund} />
      )}
    </Card>
  )
}

function RequestOffer({ refund }: { refund: Refund }) {
  const [opening, setOpening] = useState(0)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
      <p className="min-w-0 flex-1 basis-72">
        Not happy? You can request a refund until{' '}
        <DateText value={refund.until} look="minute" className="font-semibold" />. You get{' '}
        {refund.amount > 0 ? <Money cents={refund.amount} className="font-semibold" /> : 'your account credit'} back
        {refund.amount > 0 && ' by the same payment method'}.
      </p>
      <Button ref={button} variant="line" aria-haspopup="dialog" onClick={() => setOpening((count) => count + 1)}>
        Request a Refund
      </Button>
      <Suspense>
        {opening > 0 && (
          <RefundDialog
            key={opening}
            refund={refund}
            returnTo={() => button.current ?? document.getElementById('money-back')}
          />
        )}
      </Suspense>
    </div>
  )
}

function RequestStatus({
  refund: { invoiceNumber, creditNote },
  request,
}: {
  refund: Refund
  request: NonNullable<Refund['request']>
}) {
  const { status, reason, createdAt, decidedAt, decisionReason } = request
  return (
    <div className="grid gap-4">
      {status === 'pending' && (
        <Note tone="warn" role="status">
          <b>You requested a refund</b> on <DateText value={createdAt} look="minute" />. An administrator is reviewing
          it. You can keep watching until then.
        </Note>
      )}
      {status === 'declined' && (
        <Note tone="bad" role="status">
          <b>We declined this refund</b> on <DateText value={decidedAt} />. Your subscription does not change.
        </Note>
      )}
      {status === 'approved' && creditNote && (
        <Note tone="ok" role="status">
          <b>Refunded</b> on <DateText value={decidedAt} />:{' '}
          {creditNote.amount > 0 && <Sum cents={creditNote.amount}> returned by the same payment method</Sum>}
          {creditNote.amount > 0 && creditNote.creditReturned > 0 && ', '}
          {creditNote.creditReturned > 0 && <Sum cents={creditNote.creditReturned}> returned as account credit</Sum>}.
        </Note>
      )}
      <Quote by="You wrote">{reason}</Quote>
      {decisionReason && <Quote by="Our reply">{decisionReason}</Quote>}
      {creditNote && (
        <div className="flex flex-wrap items-center gap-2.5">
          <ButtonLink
            to="/credit-note/$creditNoteNumber"
            params={{ creditNoteNumber: creditNote.number }}
            variant="line"
          >
            View Credit Note {creditNote.number}
          </ButtonLink>
          <ButtonAnchor
            href={pathOf(downloadCreditNote, { creditNoteNumber: creditNote.number })}
            download
            variant="ghost"
          >
            Download PDF<span className="sr-only"> of the credit note for {invoiceNumber}</span>
          </ButtonAnchor>
        </div>
      )}
    </div>
  )
}

const Sum = ({ cents, children }: { cents: number; children: ReactNode }) => (
  <>
    <Money cents={cents} className="font-semibold" />
    {children}
  </>
)

const Quote = ({ by, children }: { by: string; children: string }) => (
  <div>
    <p className="text-fg-2 text-sm">{by}</p>
    <p className="wrap-anywhere whitespace-pre-line">{children}</p>
  </div>
)
