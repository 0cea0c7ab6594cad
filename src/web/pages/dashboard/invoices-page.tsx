import { OwnInvoices } from '#features/billing/web/invoice/own-invoices.tsx'
import { AccountFrame } from './account-frame.tsx'

/** /invoices: all of a customer's invoices. */
export function InvoicesPage() {
  return (
    <AccountFrame title="Your Invoices" lead="Everything you ordered, what is paid, and what is still open.">
      <OwnInvoices />
    </AccountFrame>
  )
}
