import { useEffect } from 'react'
import { ApiError, messageOf } from '#kit/caller.ts'
import { Mascot } from '#web/brand/mascot.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { toast } from '#web/ui/toast/toast.ts'

interface Props {
  invoiceNumber: string
  error: Error
  pending: boolean
  onRetry: () => void
}

/** Shown if an invoice is missing or cannot be loaded. A missing invoice and an invoice of another customer are indistinguishable on purpose. */
export function InvoiceMissingPanel({ invoiceNumber, error, pending, onRetry }: Props) {
  const isMissing = error instanceof ApiError && error.status < 500
  const message = messageOf(error)
  useEffect(() => toast({ title: 'Failed to load invoice', description: message, variant: 'destructive' }), [message])
  return (
    <div className="card grid min-h-[36rem] content-center">
      <div className="empty py-14">
        <Mascot tier={3} eyes={3} size={110} look={[0.46, -0.12]} />
        <h1 tabIndex={-1} className="text-2xl">
          Invoice Not Found
        </h1>
        <p className="wrap-anywhere">
          {isMissing
            ? `There is no invoice ${invoiceNumber} in your account. Check the number, or find it in your list.`
            : `Failed to load invoice. ${message}`}
        </p>
        <div className="mt-2 flex flex-wrap justify-center gap-3">
          <ButtonLink to="/invoices">Return to Invoices</ButtonLink>
          {!isMissing && (
            <Button variant="line" pending={pending} onClick={onRetry}>
              Try Again
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}
