import { useNavigate } from '@tanstack/react-router'
import { Banknote, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { useMay } from '#web/ui/permission/use-may.ts'

const RecordPaymentDialog = lazy(() =>
  import('#features/payments/web/record-payment-dialog.tsx').then((module) => ({
    default: module.RecordPaymentDialog,
  })),
)

const recordId = 'overview-record-payment'

/** Two buttons: one records a payment manually and then opens it on the payment desk, the other opens the payment desk. */
export function OverviewActions() {
  const may = useMay()
  const navigate = useNavigate()
  const [dialog, openDialog] = useOpenDialog<true>(recordId)
  return (
    <>
      {may('payments.decide') && (
        <Button id={recordId} variant="line" size="sm" onClick={({ currentTarget }) => openDialog(true, currentTarget)}>
          <Plus size={16} />
          Record Payment
        </Button>
      )}
      {may('payments.read') && (
        <ButtonLink to="/admin/payments" variant="line" size="sm">
          <Banknote size={16} />
          Payment Desk
        </ButtonLink>
      )}
      <Suspense>
        {dialog && (
          <RecordPaymentDialog
            key={dialog.openCount}
            returnTo={dialog.returnTo}
            onRecorded={({ id }) => void navigate({ to: '/admin/payments', search: { payment: id } as never })}
          />
        )}
      </Suspense>
    </>
  )
}
