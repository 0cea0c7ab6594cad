import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useReducer, useRef, useState } from 'react'
import { currentUser } from '#features/accounts/contract.ts'
import { listPlans } from '#features/catalog/contract.ts'
import { getPaymentMethods } from '#features/settings/contract.ts'
import { getOwnSubscription, quoteOrder } from '#features/subscriptions/contract.ts'
import { query, refresh, useSend } from '#web/data.ts'
import { useSchemaForm } from '#web/ui/form/use-schema-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  checkoutDetails,
  createInvoice,
  getInvoice,
  type InvoiceDetail,
  listInvoices,
  type PaymentMethod,
  paymentForm,
  submitPayment,
} from '../../contract.ts'
import { asksForPayment, emailIn, offeredMethods, paymentFieldsFor, paymentNoteFor, usesCredit } from '../../rules.ts'
import { useIsLive } from '../invoice/use-is-live.ts'
import { nextStep, openCheckout } from './checkout-steps.ts'
import {
  detailsFrom,
  emptyFields,
  firstMethod,
  type NoteReference,
  nothingToPay,
  paymentFrom,
} from './checkout-values.ts'
import { useAttempts } from './use-attempts.ts'
import { useOrderNumber } from './use-order-number.ts'

export type CheckoutAddress = { planId?: number | undefined; invoiceNumber?: string | undefined }
const invoiceQuery = (invoiceNumber: string) => query(getInvoice, { params: { invoiceNumber } })
const pollMs = 10_000

/** The state of a checkout: its step, both forms, the invoice and the actions. */
export function useCheckout(address: CheckoutAddress, onNumber: (invoiceNumber: string) => void) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: user } = useSuspenseQuery(query(currentUser))
  const { data: plans } = useSuspenseQuery(query(listPlans))
  const { data: paymentSettings } = useSuspenseQuery(query(getPaymentMethods))
  const first = firstMethod(paymentSettings)
  const cached = address.invoiceNumber
    ? client.getQueryData<InvoiceDetail>(invoiceQuery(address.invoiceNumber).queryKey)
    : undefined
  const [state, dispatch] = useReducer(nextStep, undefined, () => openCheckout(address.invoiceNumber, cached?.invoice))
  const live = useIsLive()
  const asked = useQuery({
    ...invoiceQuery(state.invoiceNumber ?? ''),
    enabled: state.invoiceNumber !== null,
    refetchInterval: state.step === 'processing' && !live ? pollMs : false,
  })
  const order = state.invoiceNumber ? asked.data : undefined
  // The number and the note reference from the response to `createInvoice`, used until the invoice itself has loaded.
  const [created, setCreated] = useState<NoteReference>()
  const numbered = order?.invoice ?? (created?.invoiceNumber === state.invoiceNumber ? created : undefined)
  const note = numbered ? paymentNoteFor(paymentSettings.notePrefix, numbered) : ''

  const orderNumber = useOrderNumber()
  const details = useSchemaForm({
    schema: checkoutDetails,
    id: 'details',
    fields: ['planId', 'email'],
    defaultValues: detailsFrom(cached) ?? {
      planId: plans.find((plan) => plan.id === address.planId)?.id ?? 0,
      email: user?.email ?? '',
    },
    draft: {
      key: `details ${address.invoiceNumber ?? address.planId ?? ''}`,
      owner: user?.id,
      fields: ['planId', 'email'],
    },
    onFailure: (message) => toast({ title: 'Failed to create invoice', description: message, variant: 'destructive' }),
  })
  const payment = useSchemaForm({
    schema: paymentForm,
    id: 'payment',
    fields: ['paymentMethod', 'confirmationCode', 'paymentNote'],
    defaultValues: paymentFrom(cached, note, first),
    draft: {
      key: `payment ${state.invoiceNumber ?? ''}`,
      owner: user?.id,
      fields: ['paymentMethod', 'confirmationCode', 'paymentNote'],
    },
    onFailure: (message) => toast({ title: 'Payment submission failed', description: message, variant: 'destructive' }),
  })
  const chosenId = details.watch('planId')
  const quoted = useQuery({
    ...query(quoteOrder, { query: { planId: chosenId } }),
    enabled: state.step === 'details' && plans.some((plan) => plan.id === chosenId),
  })
  const create = useSend(createInvoice, [listInvoices, getInvoice, getOwnSubscription])
  const submit = useSend(submitPayment, [listInvoices, getInvoice, getOwnSubscription])
  const { attempts, busy, alive } = useAttempts()

  const sendDetails = details.onSubmit(async (body) => {
    if (busy.current) return
    const isUnchanged =
      order?.invoice.planId === body.planId &&
      (emailIn(order.customerDetails) === body.email || order.invoice.status !== 'draft')
    if (isUnchanged) return dispatch({ type: 'unchanged' })
    busy.current = true
    const attempt = ++attempts.current
    dispatch({ type: 'creating', attempt })
    let invoiceNumber: string
    try {
      const keepsCredit = order !== undefined && order.usableCredit > 0 && !usesCredit(order)
      const made = await create.mutateAsync({ body: { ...body, useCredit: !keepsCredit, orderId: orderNumber.drawn } })
      if (!alive.current) return
      invoiceNumber = made.invoiceNumber
      setCreated(made)
      orderNumber.drawAgain()
      onNumber(invoiceNumber)
      payment.setValue(
        'paymentNote',
        paymentFieldsFor(payment.watch('paymentMethod'), emptyFields, paymentNoteFor(paymentSettings.notePrefix, made))
          .paymentNote,
      )
      dispatch({ type: 'created', attempt, invoiceNumber })
    } catch (error) {
      dispatch({ type: 'failed', attempt })
      throw error
    } finally {
      busy.current = false
    }
    // The customer can submit the payment before the URL has changed.
    await navigate({
      to: '/checkout',
      search: { planId: body.planId, invoiceNumber },
      replace: true,
      resetScroll: false,
    })
  })

  const submitPaid = payment.onSubmit(async (typed) => {
    const { invoiceNumber } = state
    if (busy.current || !invoiceNumber) return
    busy.current = true
    const attempt = ++attempts.current
    dispatch({ type: 'submitting', attempt })
    try {
      const planId = order?.invoice.planId ?? details.watch('planId')
      await submit.mutateAsync({
        body: {
          ...typed,
          ...(order?.invoice.amount === 0 && nothingToPay),
          planId,
          email: details.watch('email'),
          invoiceNumber,
        },
      })
      dispatch({ type: 'submitted', attempt })
    } catch (error) {
      dispatch({ type: 'failed', attempt })
      // The response may have been lost although the server accepted the payment; the socket then delivers the new state.
      const known = client.getQueryData<InvoiceDetail>(invoiceQuery(invoiceNumber).queryKey)
      void refresh(client, [getInvoice.id])
      if (!known || asksForPayment(known.invoice)) throw error
    } finally {
      busy.current = false
    }
  })

  const sendPayment: typeof submitPaid = (event) => {
    // With an amount of 0 the fields are hidden, so their content must not prevent the submission.
    if (order?.invoice.amount === 0) {
      payment.setValue('confirmationCode', '')
      payment.setValue('paymentNote', note)
    }
    return submitPaid(event)
  }

  const chooseMethod = (method: PaymentMethod) => {
    const words = paymentFieldsFor(
      method,
      { ...emptyFields, confirmationCode: payment.watch('confirmationCode') ?? '' },
      note,
    )
    payment.setValue('paymentMethod', method)
    payment.setValue('confirmationCode', words.confirmationCode, { shouldValidate: payment.submitCount > 0 })
    payment.setValue('paymentNote', words.paymentNote, { shouldValidate: payment.submitCount > 0 })
    payment.draft.keep()
  }

  const shouldGreet = useRef(address.invoiceNumber !== undefined)
  const shouldRestoreDrafts = useRef(address.invoiceNumber !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is applied exactly once
  useEffect(() => {
    if (!order) return
    if (state.restoring) {
      const restored = { ...detailsFrom(order), ...paymentFrom(order, note, first) }
      details.setValue('planId', restored.planId ?? 0)
      details.setValue('email', restored.email ?? '')
      payment.setValue('paymentMethod', restored.paymentMethod)
      payment.setValue('confirmationCode', restored.confirmationCode)
      payment.setValue('paymentNote', restored.paymentNote)
    }
    if (shouldGreet.current && order.invoice.status === 'draft')
      toast({ title: 'Welcome back!', description: 'Your checkout information has been restored.' })
    shouldGreet.current = false
    dispatch({ type: 'invoice_changed', invoice: order.invoice })
    if (shouldRestoreDrafts.current) {
      // A draft may contain a method that is no longer offered. Without a draft, the user may have chosen a method before the scripts loaded.
      payment.draft.restore()
      const kept: string | undefined = payment.watch('paymentMethod')
      const isOffered = offeredMethods(paymentSettings).some((each) => each === kept)
      if (kept && !order.invoice.paymentMethod && first && !isOffered) chooseMethod(first)
      if (details.draft.restore()) dispatch({ type: 'back' })
    }
    shouldRestoreDrafts.current = false
  }, [order])

  useEffect(() => {
    if (!asked.error || !state.restoring) return
    console.warn('The invoice in the URL could not be restored', asked.error)
    dispatch({ type: 'not_found' })
  }, [asked.error, state.restoring])

  return {
    state,
    user,
    plans,
    paymentSettings,
    live,
    order,
    note,
    details,
    payment,
    sendDetails,
    /** The price of the chosen plan before its invoice exists. */
    quote: quoted.data,
    /** The number of the next invoice. */
    nextNumber: quoted.data?.invoiceNumber ?? orderNumber.shown,
    sendPayment,
    chooseMethod,
    back: () => dispatch({ type: 'back' }),
  }
}
export type CheckoutState = ReturnType<typeof useCheckout>
