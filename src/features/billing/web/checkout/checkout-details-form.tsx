import { useEffect } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { Note } from '#web/ui/note.tsx'
import { methodsText } from '../../rules.ts'
import { PlanOptions } from '../plan-options.tsx'
import type { CheckoutState } from './use-checkout.ts'
import { valueBeforeHydration } from './value-before-hydration.ts'

/** Step 1: the plan and the email address for the invoice. */
export function CheckoutDetailsForm({
  checkout: { state, user, plans, paymentSettings, order, details, sendDetails },
}: {
  checkout: CheckoutState
}) {
  const { ref, ...plan } = details.register('planId', { valueAsNumber: true })
  const isOpen = order?.invoice.status === 'pending'
  const elsewhere = order && !plans.some((each) => each.id === order.invoice.planId) ? order.invoice : undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the values entered before hydration, once
  useEffect(() => {
    const email = valueBeforeHydration('details-email')
    const planId = Number(valueBeforeHydration('details-planId'))
    // Runs after the effects of the form itself, because those restore a draft.
    queueMicrotask(() => {
      if (email) details.setValue('email', email)
      if (planId) details.setValue('planId', planId)
    })
  }, [])

  return (
    <Card title="Your details">
      <form method="post" noValidate className="grid gap-5" onSubmit={sendDetails}>
        <ErrorSummary errors={details.problems} submitCount={details.submitCount} />
        {state.notFoundNumber && (
          <Note tone="warn" role="status">
            We could not find order <b className="num">{state.notFoundNumber}</b>. You can start a new one here.
          </Note>
        )}
        <Field
          label="Plan"
          {...details.field('planId')}
          hint={
            isOpen ? `Order ${order.invoice.invoiceNumber} stays open when you choose another plan here.` : undefined
          }
        >
          <NativeSelect {...plan} ref={ref} defaultValue={details.watch('planId')} required>
            <option value={0}>Choose a plan</option>
            {elsewhere && <option value={elsewhere.planId}>{elsewhere.planName}</option>}
            <PlanOptions plans={plans} />
          </NativeSelect>
        </Field>
        <Field
          label="Email"
          {...details.field('email')}
          hint={
            isOpen ? (
              'This is the email address on the open invoice.'
            ) : (
              <span className="wrap-anywhere">
                Shown on your invoice. Messages about the order go to your account&rsquo;s address, {user?.email}.
              </span>
            )
          }
        >
          <Input
            {...details.register('email')}
            defaultValue={details.watch('email')}
            readOnly={isOpen}
            type="email"
            autoComplete="email"
            required
          />
        </Field>
        {details.failure && <FormError message={details.failure} code={details.failureCode} />}
        <div className="flex flex-wrap gap-3 max-sm:flex-col-reverse">
          <ButtonLink to="/pricing" variant="line" size="lg">
            Back to Plans
          </ButtonLink>
          <Button type="submit" size="lg" className="flex-1" pending={details.pending}>
            Continue to Payment
          </Button>
        </div>
        <p className="text-fg-2 text-sm">
          Nothing is charged at this step. You pay next with {methodsText(paymentSettings)}, and we verify every payment
          manually.
        </p>
      </form>
    </Card>
  )
}
