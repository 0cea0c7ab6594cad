import { ButtonLink } from '#web/ui/button/button-link.tsx'
import type { Invoice } from '../../contract.ts'

/** Pay Now for a pending invoice, Continue Checkout for a draft; renders nothing if there is nothing left to pay. */
export function PayLink({
  invoice,
  className,
}: {
  invoice: Pick<Invoice, 'status' | 'planId' | 'invoiceNumber' | 'amount'>
  className?: string
}) {
  const { status, planId, invoiceNumber, amount } = invoice
  if (status !== 'draft' && !(status === 'pending' && amount > 0)) return null
  return (
    <ButtonLink to="/checkout" search={{ planId, invoiceNumber }} className={className}>
      {status === 'draft' ? 'Continue Checkout' : 'Pay Now'}
      <span className="sr-only"> {invoiceNumber}</span>
    </ButtonLink>
  )
}
