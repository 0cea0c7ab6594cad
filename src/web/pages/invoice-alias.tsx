import { Navigate, useParams } from '@tanstack/react-router'

/** Redirects `/invoices/{number}` to `/invoice/{number}` after a client-side navigation. For other requests the server redirects. */
export function InvoiceAlias() {
  const { invoiceNumber } = useParams({ from: '/invoices/$invoiceNumber' })
  return <Navigate to="/invoice/$invoiceNumber" params={{ invoiceNumber }} replace />
}
