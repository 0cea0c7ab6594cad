import { Navigate, useParams } from '@tanstack/react-router'

/** `/invoices/{number}` is another name of `/invoice/{number}`; the server redirects, this is for links followed in the page. */
export function InvoiceAlias() {
  const { invoiceNumber } = useParams({ from: '/invoices/$invoiceNumber' })
  return <Navigate to="/invoice/$invoiceNumber" params={{ invoiceNumber }} replace />
}
