import { lazy, Suspense, useId } from 'react'
import { type OpenedEmail, openPaymentEmail } from '#features/receipts/admin-mailbox-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { May } from '#web/ui/permission/may.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import type { PaymentDetail } from '../../admin-contract.ts'

const PaymentEmailDialog = lazy(() =>
  import('./payment-email-dialog.tsx').then((module) => ({ default: module.PaymentEmailDialog })),
)

/** A button that shows an email that reported a payment. The audit log records who opened it. */
export function ShowEmailButton({ emailId, payment }: { emailId: number; payment: PaymentDetail }) {
  const id = useId()
  const open = useSend(openPaymentEmail, [])
  const [opened, show] = useOpenDialog<OpenedEmail>(id)
  return (
    <May needs="payments.decide">
      <Button
        id={id}
        variant="line"
        size="sm"
        className="mt-1.5"
        pending={open.isPending}
        onClick={({ currentTarget }) =>
          open.mutate(
            { params: { emailId } },
            {
              onSuccess: (email) => show(email, currentTarget),
              onError: (error) =>
                toast({ title: 'Email not opened', description: messageOf(error), variant: 'destructive' }),
            },
          )
        }
      >
        Show Email
      </Button>
      <Suspense>
        {opened && (
          <PaymentEmailDialog
            key={opened.openCount}
            email={opened.subject}
            payment={payment}
            returnTo={opened.returnTo}
          />
        )}
      </Suspense>
    </May>
  )
}
