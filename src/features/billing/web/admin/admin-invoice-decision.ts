import * as z from 'zod/mini'
import type { Input } from '#kit/endpoint.ts'
import { type AdminInvoice, invoiceDecision, type updateInvoice } from '../../admin-contract.ts'
import type { InvoiceStatus } from '../../contract.ts'
import { canMove, hasRepeatedCode } from '../../rules.ts'

type Target = Input<typeof updateInvoice>['body']['status']
const targets = invoiceDecision.shape.status.options

/** The form values. `status` may be the current status even if administrators cannot set it. If it is unchanged, nothing is sent. */
export interface Decision {
  status: InvoiceStatus
  /** yyyy-MM-dd */
  paidAt: string
  acknowledgeDuplicate: boolean
}

/** Returns the current status, followed by the statuses that it can change to. */
export const statusOptions = ({ status }: Pick<AdminInvoice, 'status'>): InvoiceStatus[] => [
  status,
  ...targets.filter((target) => target !== status && canMove(status, target)),
]

/** Returns the initial form values: paid today for a pending invoice, and the current status for any other invoice. */
export const initialDecision = (invoice: AdminInvoice, today: string): Decision => ({
  status: invoice.status === 'pending' ? 'paid' : invoice.status,
  paidAt: invoice.paidAt?.slice(0, 10) ?? today,
  acknowledgeDuplicate: false,
})

export const decisionForm = ({ status, ...invoice }: AdminInvoice) =>
  z.object({ status: z.string(), paidAt: z.string(), acknowledgeDuplicate: z.boolean() }).check(
    z.refine((form) => form.status !== 'paid' || status === 'paid' || z.safeParse(z.iso.date(), form.paidAt).success, {
      path: ['paidAt'],
      message: 'Please enter a valid date',
    }),
    z.refine(
      (form) => form.status !== 'paid' || status === 'paid' || !hasRepeatedCode(invoice) || form.acknowledgeDuplicate,
      {
        path: ['acknowledgeDuplicate'],
        message: `Please check the other invoice and acknowledge the ${invoice.duplicateCode ? 'repeated' : 'similar'} code`,
      },
    ),
  )

/** Returns the request body. It contains no payment date if that is today, because the server's clock is more reliable than the browser's. */
export const requestBody = (
  invoice: AdminInvoice,
  { status, paidAt, acknowledgeDuplicate }: Decision,
  today: string,
): Input<typeof updateInvoice>['body'] => ({
  status: status as Target,
  ...(status === 'paid' && paidAt !== today && { paidAt }),
  expectedAmount: invoice.amount,
  version: invoice.version,
  acknowledgeDuplicate,
})

/** Returns the payment date for the preview, which is the date that will be sent; undefined for today. */
export const paidAtToPreview = (status: InvoiceStatus, paidAt: string, today: string): string | undefined =>
  status === 'paid' && paidAt !== today && z.safeParse(z.iso.date(), paidAt).success ? paidAt : undefined

/** Returns the date in the browser's time zone as yyyy-MM-dd. */
export function localDate(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
