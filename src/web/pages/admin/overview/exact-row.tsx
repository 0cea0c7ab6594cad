import { useQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { listPayments } from '#features/payments/admin-contract.ts'
import { exactPayments, paymentsText } from '#features/payments/web/use-confirm-exact.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { useMay } from '#web/ui/permission/use-may.ts'

const ConfirmExactDialog = lazy(() =>
  import('#features/payments/web/confirm-exact-dialog.tsx').then((module) => ({ default: module.ConfirmExactDialog })),
)

/**
 * The payments that match exactly, above the queue: one button confirms them after a preview. The component stays mounted without such payments, since its
 * dialog may still be open.
 */
export function ExactRow({ returnId }: { returnId: string }) {
  const may = useMay()
  const { data } = useQuery({ ...query(listPayments, { query: { tab: 'waiting' } }), enabled: may('payments.read') })
  const [dialog, openDialog] = useOpenDialog<true>(returnId)
  const exact = exactPayments(data?.rows ?? [])
  const total = exact.reduce((sum, { openCents }) => sum + openCents, 0)
  return (
    <>
      {exact.length > 0 && (
        <div className="queue-exact">
          <Zap size={20} aria-hidden="true" />
          <p>
            <b>
              {paymentsText(exact.length)} {exact.length === 1 ? 'matches' : 'match'} exactly.
            </b>{' '}
            {formatCents(total)} in total
          </p>
          <Button
            size="sm"
            variant="ink"
            className="queue-action"
            onClick={({ currentTarget }) => openDialog(true, currentTarget)}
          >
            Confirm {exact.length}
            <span className="sr-only"> that match exactly</span>
          </Button>
        </div>
      )}
      <Suspense>{dialog && <ConfirmExactDialog key={dialog.openCount} returnTo={dialog.returnTo} />}</Suspense>
    </>
  )
}
