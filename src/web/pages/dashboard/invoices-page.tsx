import { OwnInvoices } from '#features/billing/web/invoice/own-invoices.tsx'
import { OwnEarlierInvoices } from '#features/imports/web/own-earlier-invoices.tsx'
import { AccountFrame } from './account-frame.tsx'

/** /invoices: all of a customer's invoices. Those of the system that was used before are fetched by the browser. */
export function InvoicesPage() {
  return (
    <AccountFrame title="Your Invoices" lead="Everything you ordered, what is paid, and what is still open.">
      <OwnInvoices />
      <OwnEarlierInvoices />
    </AccountFrame>
  )
}
