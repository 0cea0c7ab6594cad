import { lazy, Suspense } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import type { PaymentDetail } from '../../admin-contract.ts'
import type { Choice } from '../decisions.ts'

const SplitDialog = lazy(() => import('./split-dialog.tsx').then((module) => ({ default: module.SplitDialog })))
const id = 'split-payment'

interface Props {
  payment: PaymentDetail
  onRun: (choice: Choice) => void
}

/** A button that opens the dialog to divide a payment among several invoices. */
export function SplitButton({ payment, onRun }: Props) {
  const [opened, open] = useOpenDialog<true>(id)
  return (
    <>
      <Button id={id} variant="ghost" onClick={({ currentTarget }) => open(true, currentTarget)}>
        Split
      </Button>
      <Suspense>
        {opened && <SplitDialog key={opened.openCount} payment={payment} returnTo={opened.returnTo} onRun={onRun} />}
      </Suspense>
    </>
  )
}
