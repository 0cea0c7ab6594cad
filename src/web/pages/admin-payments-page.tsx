import { PaymentDesk } from '#features/payments/web/payment-desk.tsx'
import { UploadStatementButton } from '#features/receipts/web/upload-statement-button.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/payments: the received payments, and the invoices that they pay. */
export function AdminPaymentsPage() {
  return (
    <AdminFrame title="Payments">
      <PaymentDesk actions={<UploadStatementButton />} />
    </AdminFrame>
  )
}
