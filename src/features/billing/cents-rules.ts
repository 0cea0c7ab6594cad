import type { PaymentMethods } from '#features/settings/contract.ts'
import type { InvoiceDetail, PaymentMethod } from './contract.ts'

/** Whether orders that are paid by this method get cents that identify their payment. */
export const identifiesByCents = (payments: PaymentMethods, method: PaymentMethod | null): boolean =>
  method === 'cashapp' && payments.identifyingCents && payments.offers.cashapp && payments.cashtag !== ''

/** Whether the amount of an order has such cents. */
export const hasIdentifyingCents = (detail: Pick<InvoiceDetail, 'lines'>): boolean =>
  detail.lines.some((line) => line.kind === 'payment_cents')
