import fc from 'fast-check'
import { describe, expect, it as test } from 'vitest'
import {
  type Checkout,
  type CheckoutEvent,
  type InvoiceState,
  nextStep,
  openCheckout,
  steps,
} from './checkout-steps.ts'

const number = 'ORD-ABC234'
const update = (status: InvoiceState['status'], submitted = false, amount = 3149): CheckoutEvent => ({
  type: 'invoice_changed',
  invoice: { invoiceNumber: number, status, submittedAt: submitted ? '2026-09-02T10:00:00.000Z' : null, amount },
})
const run = (events: CheckoutEvent[], from: Checkout = openCheckout(undefined, undefined)): Checkout =>
  events.reduce(nextStep, from)
const toPayment: CheckoutEvent[] = [
  { type: 'creating', attempt: 1 },
  { type: 'created', attempt: 1, invoiceNumber: number },
]
const toConfirmation: CheckoutEvent[] = [...toPayment, { type: 'submitting', attempt: 2 }]
const toProcessing: CheckoutEvent[] = [...toConfirmation, { type: 'submitted', attempt: 2 }]

describe('the checkout', () => {
  test('starts at the details without an invoice', () =>
    expect(run([])).toMatchObject({ step: 'details', invoiceNumber: null }))
  test('goes to payment once the invoice exists', () =>
    expect(run(toPayment)).toMatchObject({ step: 'payment', invoiceNumber: number }))
  test('goes to confirmation while the payment is sent', () => expect(run(toConfirmation).step).toBe('confirmation'))
  test('goes to processing once the payment was received', () =>
    expect(run(toProcessing)).toMatchObject({ step: 'processing', pendingAttempt: null }))
  test('is complete once an administrator has confirmed the payment', () =>
    expect(run([...toProcessing, update('paid', true)]).step).toBe('complete'))
})

describe('after a failure, the checkout', () => {
  test('stays at the details when no invoice could be created', () => {
    expect(run([toPayment[0]!, { type: 'failed', attempt: 1 }])).toMatchObject({
      step: 'details',
      invoiceNumber: null,
      pendingAttempt: null,
    })
  })
  test('returns to payment with the same invoice when the submission failed', () => {
    expect(run([...toConfirmation, { type: 'failed', attempt: 2 }])).toMatchObject({
      step: 'payment',
      invoiceNumber: number,
      pendingAttempt: null,
    })
  })
  test('can submit again', () => {
    const again: CheckoutEvent[] = [
      { type: 'failed', attempt: 2 },
      { type: 'submitting', attempt: 3 },
      { type: 'submitted', attempt: 3 },
    ]
    expect(run([...toConfirmation, ...again]).step).toBe('processing')
  })
})

describe('a double click', () => {
  test('creates one order', () => {
    expect(run([toPayment[0]!, { type: 'creating', attempt: 2 }]).pendingAttempt).toBe(1)
  })
  test('submits once', () => {
    expect(run([...toConfirmation, { type: 'submitting', attempt: 3 }]).pendingAttempt).toBe(2)
  })
})

describe('a late response', () => {
  test('of an earlier attempt changes nothing', () => {
    const before = run([...toConfirmation, { type: 'failed', attempt: 2 }, { type: 'submitting', attempt: 3 }])
    expect(nextStep(before, { type: 'submitted', attempt: 2 })).toBe(before)
    expect(nextStep(before, { type: 'failed', attempt: 2 })).toBe(before)
  })
  test('about a failed order does not override a newer update from the socket', () => {
    const updated = run([...toConfirmation, update('pending', true)])
    expect(updated.step).toBe('processing')
    expect(nextStep(updated, { type: 'failed', attempt: 2 })).toBe(updated)
  })
  test('about another invoice changes nothing', () => {
    const before = run(toProcessing)
    expect(
      nextStep(before, {
        type: 'invoice_changed',
        invoice: { invoiceNumber: 'ORD-ZZZZZZ', status: 'paid', submittedAt: null, amount: 1 },
      }),
    ).toBe(before)
  })
  test('with the draft status does not undo a submitted payment', () => {
    expect(run([...toProcessing, update('draft')]).step).toBe('processing')
  })
})

describe('the Back button', () => {
  test('returns from payment to the details and keeps the invoice', () => {
    expect(run([...toPayment, { type: 'back' }])).toMatchObject({ step: 'details', invoiceNumber: number })
  })
  test('followed by unchanged details returns to payment without a new order', () => {
    expect(run([...toPayment, { type: 'back' }, { type: 'unchanged' }])).toMatchObject({
      step: 'payment',
      invoiceNumber: number,
    })
  })
  test.each(['confirmation', 'processing'] as const)('does nothing at the %s step', (step) => {
    const before = run(step === 'confirmation' ? toConfirmation : toProcessing)
    expect(nextStep(before, { type: 'back' })).toBe(before)
  })
  test('can be followed by the choice of another plan, whose draft replaces the first draft', () => {
    const replaced = run([
      ...toPayment,
      { type: 'back' },
      { type: 'creating', attempt: 2 },
      update('cancelled'),
      { type: 'created', attempt: 2, invoiceNumber: 'ORD-NEW234' },
    ])
    expect(replaced).toMatchObject({ step: 'payment', invoiceNumber: 'ORD-NEW234', closed: null })
  })
})

describe('an invoice in the URL', () => {
  const restored = (event: CheckoutEvent) =>
    openCheckout(number, event.type === 'invoice_changed' ? event.invoice : undefined)
  test('is loaded before any step is shown', () =>
    expect(openCheckout(number, undefined)).toMatchObject({ restoring: true }))
  test('that does not exist makes the checkout start at the details with a message', () => {
    expect(run([{ type: 'not_found' }], openCheckout(number, undefined))).toMatchObject({
      step: 'details',
      invoiceNumber: null,
      notFoundNumber: number,
      restoring: false,
    })
  })
  test.each([
    ['draft', false, 'payment'],
    ['pending', false, 'payment'],
    ['pending', true, 'processing'],
    ['paid', true, 'complete'],
  ] as const)('%s (submitted: %s) opens at %s', (status, submitted, step) => {
    expect(restored(update(status, submitted))).toMatchObject({ step, restoring: false, closed: null })
  })
  test('that costs nothing opens at processing', () =>
    expect(restored(update('pending', false, 0)).step).toBe('processing'))
  test.each(['cancelled', 'expired', 'refunded'] as const)('that is %s is shown as closed', (status) =>
    expect(restored(update(status)).closed).toBe(status),
  )
})

describe('while the customer waits', () => {
  test.each(['cancelled', 'expired', 'refunded'] as const)('an order that is %s is shown as closed', (status) => {
    expect(run([...toProcessing, update(status, true)]).closed).toBe(status)
  })
  test('a closed order that is reopened continues', () => {
    expect(run([...toProcessing, update('cancelled', true), update('pending', true)])).toMatchObject({
      step: 'processing',
      closed: null,
    })
  })
  test('an order covered by credit requires payment once the credit is declined', () => {
    expect(run([update('pending', false, 0), update('pending')], openCheckout(number, undefined)).step).toBe('payment')
  })
  test('a reversed payment returns to processing', () => {
    expect(run([...toProcessing, update('paid', true), update('pending', true)]).step).toBe('processing')
  })
})

describe('for any sequence of events', () => {
  const attempt = fc.integer({ min: 1, max: 3 })
  const event: fc.Arbitrary<CheckoutEvent> = fc.oneof(
    fc.record({ type: fc.constantFrom('creating', 'submitting', 'submitted', 'failed'), attempt }),
    fc.record({ type: fc.constant('created'), attempt, invoiceNumber: fc.constant(number) }),
    fc.record({ type: fc.constantFrom('unchanged', 'back', 'not_found') }),
    fc
      .tuple(
        fc.constantFrom<InvoiceState['status'][]>('draft', 'pending', 'paid', 'cancelled', 'expired'),
        fc.boolean(),
      )
      .map(([status, submitted]) => update(status, submitted)),
  ) as fc.Arbitrary<CheckoutEvent>

  test('later steps have an invoice, and an attempt is pending at the details or confirmation step only', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), fc.boolean(), (events, fromAddress) => {
        const end = run(events, openCheckout(fromAddress ? number : undefined, undefined))
        const position = steps.indexOf(end.step)
        expect(position === 0 || end.invoiceNumber !== null).toBe(true)
        expect(end.pendingAttempt === null || end.step === 'details' || end.step === 'confirmation').toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
  test('only a paid invoice leads to complete', () => {
    const withoutPaid = event.filter((e) => e.type !== 'invoice_changed' || e.invoice.status !== 'paid')
    fc.assert(
      fc.property(fc.array(withoutPaid, { maxLength: 30 }), (events) => {
        expect(run(events).step).not.toBe('complete')
      }),
      { numRuns: 2000 },
    )
  })
})
