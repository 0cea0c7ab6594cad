import { useEffect, useRef } from 'react'
import { setIdentifyingCents } from '#features/payments/contract.ts'
import type { PaymentMethods } from '#features/settings/contract.ts'
import { formatCents } from '#kit/money.ts'
import { useSend } from '#web/data.ts'
import { announce } from '#web/ui/announce.ts'
import { hasIdentifyingCents, identifiesByCents } from '../../cents-rules.ts'
import { getInvoice, type InvoiceDetail, listInvoices, type PaymentMethod } from '../../contract.ts'
import { asksForPayment } from '../../rules.ts'

interface Props {
  order: InvoiceDetail
  method: PaymentMethod
  payments: PaymentMethods
  /** Called with true while the amount is about to change, and with false afterwards. */
  onChanging: (isChanging: boolean) => void
}

/**
 * Adds the identifying cents to an order or removes them, depending on the chosen method. Renders nothing. Sends each choice only once: if no free
 * amount is found, the order stays without cents, and the request must not be repeated.
 */
export function IdentifyingCents({ order, method, payments, onChanging }: Props) {
  const { mutate, isPending } = useSend(setIdentifyingCents, [getInvoice, listInvoices])
  const sent = useRef('')
  const { invoiceNumber } = order.invoice
  const canChange = asksForPayment(order.invoice) && order.received === 0
  const isWrong = canChange && hasIdentifyingCents(order) !== identifiesByCents(payments, method)
  useEffect(() => {
    const choice = `${invoiceNumber} ${method}`
    if (!isWrong || isPending || sent.current === choice) return
    sent.current = choice
    mutate(
      { params: { invoiceNumber }, body: { paymentMethod: method } },
      { onSuccess: ({ amount }) => announce(`The total is now ${formatCents(amount)}`) },
    )
  }, [invoiceNumber, method, isWrong, isPending, mutate])
  useEffect(() => onChanging(isPending), [isPending, onChanging])
  return null
}
