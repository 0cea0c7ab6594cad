import { ButtonLink } from '#web/ui/button-link.tsx'
import type { Invoice } from '../contract.ts'

/** Pay Now for a pending invoice, Continue Checkout for a draft, nothing for any other. */
export function PayLink({ invoice, className }: { invoice: Pick<Invoice, 'status' | 'planId' | 'invoiceNumber'>; className?: string }) {
  const { status, planId, invoiceNumber } = invoice
  if (status !== 'pending' && status !== 'draft') return null
  return (
    <ButtonLink to="/checkout" search={{ planId, invoiceNumber }} className={className}>
      {status === 'draft' ? 'Continue Checkout' : 'Pay Now'}
      <span className="sr-only"> {invoiceNumber}</span>
    </ButtonLink>
  )
}
