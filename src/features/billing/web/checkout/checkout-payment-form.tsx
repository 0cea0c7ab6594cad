import { AtSign, CreditCard, DollarSign } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorSummary } from '#web/ui/form/error-summary.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormError } from '#web/ui/form/form-error.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { useIsHydrated } from '#web/ui/hydration/use-is-hydrated.ts'
import { Note } from '#web/ui/note.tsx'
import { hasIdentifyingCents } from '../../cents-rules.ts'
import type { PaymentMethod } from '../../contract.ts'
import { methodNames, offeredMethods } from '../../rules.ts'
import { RejectionNote } from '../invoice/rejection-note.tsx'
import { CardPaymentPanel } from './card-payment-panel.tsx'
import { TransferPanel } from './transfer-panel.tsx'
import type { CheckoutState } from './use-checkout.ts'
import { valueBeforeHydration } from './value-before-hydration.ts'

const IdentifyingCents = lazy(() =>
  import('./identifying-cents.tsx').then((module) => ({ default: module.IdentifyingCents })),
)
const icon = { size: 20, className: 'mt-0.5 text-fg-2' }
const methods: { value: PaymentMethod; title: string; description: string; icon: ReactNode }[] = [
  { value: 'cashapp', title: methodNames.cashapp, description: 'Send it in the app', icon: <DollarSign {...icon} /> },
  { value: 'venmo', title: methodNames.venmo, description: 'Send it in the app', icon: <AtSign {...icon} /> },
  {
    value: 'creditcard',
    title: methodNames.creditcard,
    description: 'We email a secure link',
    icon: <CreditCard {...icon} />,
  },
]

/** Step 2: send the money, then enter the payment details. */
export function CheckoutPaymentForm({
  checkout: { order, user, paymentSettings, note, payment, sendPayment, chooseMethod, back },
}: {
  checkout: CheckoutState
}) {
  const [changed, setChanged] = useState('')
  const [isAmountChanging, setIsAmountChanging] = useState(false)
  const isHydrated = useIsHydrated()
  const method = payment.watch('paymentMethod')
  const isCard = method === 'creditcard'
  const offered = offeredMethods(paymentSettings)
  const isFree = order?.invoice.amount === 0
  const choose = (next: PaymentMethod) => {
    if (next === method) return
    chooseMethod(next)
    const words =
      next === 'creditcard'
        ? 'Confirmation code and note were cleared: a card payment needs neither.'
        : `The payment note was set to “${note}”.`
    setChanged(words)
    announce(words)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads the values entered before hydration, once
  useEffect(() => {
    const code = valueBeforeHydration('payment-confirmationCode')
    const words = valueBeforeHydration('payment-paymentNote')
    const radio = document.querySelector<HTMLInputElement>('input[name="paymentMethod"]:checked')
    const chosen = radio && !radio.defaultChecked ? (radio.value as PaymentMethod) : undefined
    // Runs after the effects of the form itself, because those set its initial values and restore a draft.
    queueMicrotask(() => {
      if (chosen) choose(chosen)
      if (chosen === 'creditcard') return
      if (words) payment.setValue('paymentNote', words)
      if (code) payment.setValue('confirmationCode', code)
    })
  }, [])

  return (
    <Card title="Payment">
      <form method="post" noValidate className="grid gap-6" onSubmit={sendPayment}>
        <RejectionNote invoice={order?.invoice} />
        <ErrorSummary errors={payment.problems} submitCount={payment.submitCount} />
        {isFree ? (
          <p className="text-lg">
            Your account credit covers this order, so there is nothing left to pay. Once you confirm it, an
            administrator activates it.
          </p>
        ) : (
          <>
            <RadioCards
              id="payment-paymentMethod"
              legend="Payment method"
              name="paymentMethod"
              columns={3}
              options={methods.filter(({ value }) => offered.includes(value) || value === method)}
              value={method}
              onChange={(event) => choose(event.target.value as PaymentMethod)}
              error={payment.field('paymentMethod').error}
            />
            {changed && <Note>{changed}</Note>}
            {isHydrated && paymentSettings.identifyingCents && order && (
              <Suspense>
                <IdentifyingCents {...{ order, method }} payments={paymentSettings} onChanging={setIsAmountChanging} />
              </Suspense>
            )}
            {isCard ? (
              <CardPaymentPanel email={user?.email} hours={paymentSettings.cardHours} invoice={order?.invoice} />
            ) : (
              <TransferPanel
                method={method}
                paymentSettings={paymentSettings}
                cents={isAmountChanging ? undefined : order?.invoice.amount}
                note={note}
                isExact={order !== undefined && hasIdentifyingCents(order)}
              />
            )}
            {!isCard && (
              <div className="grid gap-5 border-t pt-6 sm:grid-cols-2">
                <h3 className="sm:col-span-2">Tell us about your payment</h3>
                <Field
                  label="Confirmation code"
                  optional
                  {...payment.field('confirmationCode')}
                  hint={`From your ${methodNames[method]} receipt. It speeds up verification.`}
                >
                  <Input
                    {...payment.register('confirmationCode')}
                    defaultValue={payment.watch('confirmationCode') ?? ''}
                    autoComplete="off"
                    spellCheck={false}
                  />
                </Field>
                <Field
                  label="Payment note"
                  {...payment.field('paymentNote')}
                  hint="It must match exactly what you typed in the payment app."
                >
                  <Input
                    {...payment.register('paymentNote')}
                    defaultValue={payment.watch('paymentNote') ?? ''}
                    autoComplete="off"
                    spellCheck={false}
                  />
                </Field>
              </div>
            )}
          </>
        )}
        {payment.failure && <FormError message={payment.failure} code={payment.failureCode} />}
        <div className="flex flex-wrap gap-3 max-sm:flex-col-reverse">
          <Button variant="line" size="lg" onClick={back}>
            Back
          </Button>
          <Button type="submit" size="lg" className="flex-1" pending={payment.pending}>
            {isFree ? 'Confirm Order' : isCard ? 'Submit Payment Request' : 'Submit Payment'}
          </Button>
        </div>
      </form>
    </Card>
  )
}
