import type { QueryClient } from '@tanstack/react-query'
import { callOf } from '#web/data.ts'
import { type PaymentRow, previewPayment } from '../admin-contract.ts'
import type { Choice } from './decisions.ts'

/** Returns the query for the effect of a decision about a payment. */
export function effectQuery(payment: Pick<PaymentRow, 'id' | 'version' | 'openCents'>, decision: Choice['decision']) {
  const body = { ...decision, version: payment.version, expectedOpen: payment.openCents }
  return {
    queryKey: [previewPayment.id, payment.id, body],
    queryFn: ({ client, signal }: { client: QueryClient; signal: AbortSignal }) =>
      callOf(client)(previewPayment, { params: { paymentId: payment.id }, body }, signal),
    // Never served from the cache, because the same decision may have a different effect later.
    staleTime: 0,
  }
}
