import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { useOpenedItem } from '#web/ui/opened-item.ts'
import { May } from '#web/ui/permission/may.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { getPayment, type PaymentDetail } from '../admin-contract.ts'
import { type Choice, choicesFor, choicesWithoutInvoice } from './decisions.ts'
import { PaymentEffects } from './payment-effects.tsx'
import { PaymentEvidence } from './payment-evidence.tsx'
import { PaymentHead } from './payment-head.tsx'
import { PaymentSettled } from './payment-settled.tsx'
import { PaymentShort } from './payment-short.tsx'
import { choicesForReversal } from './reversals/reversal-choices.ts'
import { ReversedPayments } from './reversals/reversed-payments.tsx'
import { SecondPerson } from './second-person.tsx'
import { PaymentSource } from './source/payment-source.tsx'
import { SplitButton } from './split/split-button.tsx'

interface Props {
  paymentId: number
  /** An invoice that the administrator chose. */
  invoiceId: number | undefined
  /** Within how many minutes a payment should be decided; undefined until the list is loaded. */
  promiseMinutes: number | undefined
  /** Whether Enter was pressed once on a payment with differences. */
  armed: boolean
  pending: boolean
  onBack: () => void
  onRun: (payment: PaymentDetail, choice: Choice) => void
  onUndo: (payment: PaymentDetail) => void
  onMatch: (button: HTMLElement) => void
  onSkip: () => void
  onRefundSent: (payment: PaymentDetail, button: HTMLElement) => void
}

/** Shows one payment, the evidence, the possible decisions and what they do. */
export function PaymentDetailPanel({ paymentId, invoiceId, ...rest }: Props) {
  useOpenedItem(`received:${paymentId}`)
  const { data, error, refetch } = useQuery({
    ...query(getPayment, { params: { paymentId }, query: invoiceId ? { invoiceId } : {} }),
    refetchOnMount: 'always',
  })
  if (error && !data)
    return <ErrorState title="The payment could not be loaded" message={messageOf(error)} onRetry={() => refetch()} />
  if (!data)
    return (
      <p className="payment-loading">
        <Spinner /> Loading the payment…
      </p>
    )
  return <Loaded key={`${data.id} ${invoiceId} ${data.version}`} payment={data} {...rest} />
}

function Loaded({
  payment,
  promiseMinutes,
  armed,
  pending,
  onBack,
  onRun,
  onUndo,
  onMatch,
  onSkip,
  onRefundSent,
}: Omit<Props, 'paymentId' | 'invoiceId'> & { payment: PaymentDetail }) {
  const [candidate] = payment.candidates
  const isWaiting = payment.status === 'open' || payment.status === 'set_aside'
  const isReversal = payment.kind === 'reversal'
  const choices =
    payment.status !== 'open'
      ? []
      : isReversal
        ? choicesForReversal(payment)
        : candidate
          ? choicesFor(payment, candidate)
          : []
  const others = choicesWithoutInvoice(payment).filter(({ key }) => !choices.some((each) => each.key === key))
  const all = [...choices, ...others]
  const [key, setKey] = useState(all[0]?.key)
  const choice = all.find((each) => each.key === key) ?? all[0]
  const [reason, setReason] = useState('')
  const [isReasonMissing, setReasonMissing] = useState(false)
  const decide = () => {
    if (!choice) return
    if (!choice.needsReason) return onRun(payment, choice)
    if (reason.trim()) return onRun(payment, { ...choice, decision: { ...choice.decision, reason: reason.trim() } })
    setReasonMissing(true)
    document.getElementById('payment-reason')?.focus()
  }
  // The evidence is shown before the decisions if the question is whether the payment belongs to the invoice, and not what happens to the money.
  const isPlain =
    candidate !== undefined &&
    ['exact', 'join', 'linked', 'likely'].includes(payment.kind) &&
    (choices[0]?.key === 'confirm' || choices[0]?.key === 'link')
  const cards = (
    <RadioCards
      legend="Decision"
      legendHidden
      name={`payment-${payment.id}-decision`}
      value={choice?.key ?? ''}
      onChange={({ target }) => setKey(target.value)}
      options={all.map((each, index) => ({
        value: each.key,
        title: each.title,
        description: each.description,
        ...(index === 0 &&
          (candidate ?? payment.reversed[0]) && { aside: <span className="badge badge-default">Suggested</span> }),
      }))}
    />
  )
  return (
    <article aria-labelledby="payment-title" className="payment-detail">
      <PaymentHead payment={payment} promiseMinutes={promiseMinutes} onBack={onBack} />
      <div className="payment-body">
        <div className="payment-main">
          {!isWaiting && (
            <PaymentSettled payment={payment} pending={pending} onUndo={onUndo} onRefundSent={onRefundSent} />
          )}
          {isWaiting && isReversal && <ReversedPayments payment={payment} />}
          {isWaiting && !candidate && !isReversal && (
            <p className="mb-3">No invoice fits this payment. Find it by hand, or decide without one.</p>
          )}
          {isWaiting && candidate?.kind === 'part' && (
            <PaymentShort openCents={payment.openCents} due={candidate.due} />
          )}
          {isWaiting && !isPlain && cards}
          {isWaiting && choice?.needsReason && (
            <Field
              label="Reason"
              id="payment-reason"
              error={isReasonMissing && !reason.trim() ? 'Please enter the reason' : undefined}
            >
              <Input value={reason} maxLength={200} required onChange={({ target }) => setReason(target.value)} />
            </Field>
          )}
          {payment.secondPerson && <SecondPerson {...payment.secondPerson} />}
          {candidate && <PaymentEvidence candidate={candidate} />}
          {isWaiting && isPlain && (
            <details className="mt-4">
              <summary className="link">Other decisions</summary>
              <div className="mt-3">{cards}</div>
            </details>
          )}
          <PaymentSource payment={payment} />
          {payment.before.length > 0 && (
            <p className="mt-4 text-sm text-fg-2">
              Latest invoices of the customers this payer has paid for:{' '}
              {payment.before
                .map(({ paidOn, amount, customer }) => `${paidOn}, ${formatCents(amount)} for ${customer}`)
                .join('; ')}
            </p>
          )}
        </div>
        {isWaiting && choice && (
          <div className="payment-side">
            <PaymentEffects payment={payment} choice={choice} />
          </div>
        )}
      </div>
      {isWaiting && choice && (
        <May needs="payments.decide">
          <footer className="payment-actions">
            <Button id="payment-confirm" pending={pending} onClick={decide}>
              {armed ? 'Press Enter Again' : choice.button}
              <Key>{payment.ready ? 'Enter' : 'Enter twice'}</Key>
            </Button>
            <Button variant="line" onClick={({ currentTarget }) => onMatch(currentTarget)}>
              Match by Hand
              <Key>M</Key>
            </Button>
            {!isReversal && payment.currency === 'USD' && (
              <SplitButton payment={payment} onRun={(split) => onRun(payment, split)} />
            )}
            <Button variant="ghost" onClick={onSkip}>
              Skip
              <Key>S</Key>
            </Button>
          </footer>
        </May>
      )}
    </article>
  )
}

function Key({ children }: { children: ReactNode }) {
  return (
    <span className="kbd payment-key" aria-hidden="true">
      {children}
    </span>
  )
}
