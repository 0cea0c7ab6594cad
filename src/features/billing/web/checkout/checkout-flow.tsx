import { useEffect, useRef } from 'react'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ProgressSteps } from '#web/ui/progress-steps.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CheckoutClosedPanel } from './checkout-closed-panel.tsx'
import { CheckoutCompletePanel } from './checkout-complete-panel.tsx'
import { CheckoutDetailsForm } from './checkout-details-form.tsx'
import { CheckoutPaymentForm } from './checkout-payment-form.tsx'
import { CheckoutProcessingPanel } from './checkout-processing-panel.tsx'
import { CheckoutSendingPanel } from './checkout-sending-panel.tsx'
import { type Step, steps } from './checkout-steps.ts'
import { CheckoutSummaryPanel } from './checkout-summary-panel.tsx'
import { CheckoutTimeNote } from './checkout-time-note.tsx'
import { planBeingBought } from './plan-being-bought.ts'
import { type CheckoutAddress, useCheckout } from './use-checkout.ts'

interface Props {
  address: CheckoutAddress
  onNumber: (invoiceNumber: string) => void
}

const labels: Record<Step, string> = {
  details: 'Details',
  payment: 'Payment',
  confirmation: 'Confirmation',
  processing: 'Processing',
  complete: 'Complete',
}
const panels = {
  details: CheckoutDetailsForm,
  payment: CheckoutPaymentForm,
  confirmation: CheckoutSendingPanel,
  processing: CheckoutProcessingPanel,
  complete: CheckoutCompletePanel,
} as const

/** The checkout steps with the order summary beside them. */
export function CheckoutFlow({ address, onNumber }: Props) {
  const checkout = useCheckout(address, onNumber)
  const { step, closed, restoring } = checkout.state
  const Panel = closed ? CheckoutClosedPanel : panels[step]
  const body = useStepFocus(closed ?? step)
  const plan = closed || (step !== 'details' && step !== 'payment') ? undefined : planBeingBought(checkout)

  return (
    <div className="min-h-full bg-sunken">
      <div className="wrap page">
        <PageHeader title="Checkout" className="mb-6" />
        {!closed && (
          <ProgressSteps
            label="Checkout"
            steps={steps.map((each) => labels[each])}
            current={steps.indexOf(step)}
            className="mb-8"
          />
        )}
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
          {restoring ? (
            <div role="status" className="card card-body grid gap-4">
              <span className="sr-only">Restoring your checkout</span>
              <Skeleton className="h-8 w-56" />
              <Skeleton className="h-24" />
              <Skeleton className="h-24" />
            </div>
          ) : (
            <>
              <div className="lg:sticky lg:top-24 lg:col-start-2 lg:row-start-1">
                <CheckoutSummaryPanel checkout={checkout} />
              </div>
              <div ref={body} className="min-w-0 lg:col-start-1 lg:row-start-1">
                {plan && <CheckoutTimeNote plan={plan} />}
                <Panel checkout={checkout} />
              </div>
            </>
          )}
        </div>
      </div>
    </div>
  )
}

/** Moves the focus to the heading of a new step, as after a page change. */
function useStepFocus(step: string) {
  const body = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    const heading = body.current?.querySelector('h2')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [step])
  return body
}
