import type { PaymentMethods } from '#features/settings/contract.ts'
import type { InvoiceDetail, PaymentMethod } from './contract.ts'

/** Whether an order that is paid by this method gets identifying cents: its amount is reduced by a few cents so that no other order has it. */
export const identifiesByCents = (payments: PaymentMethods, method: PaymentMethod | null): boolean =>
  method === 'cashapp' && payments.identifyingCents && payments.offers.cashapp && payments.cashtag !== ''

/** Whether the amount of an order has identifying cents. */
export const hasIdentifyingCents = (detail: Pick<InvoiceDetail, 'lines'>): boolean =>
  detail.lines.some((line) => line.kind === 'payment_cents')
