import * as z from 'zod/mini'
import type { Input } from '#kit/endpoint.ts'
import { type AdminInvoice, invoiceDecision, type updateInvoice } from '../../admin-contract.ts'
import type { InvoiceStatus } from '../../contract.ts'
import { canMove, hasRepeatedCode } from '../../rules.ts'

type Target = Input<typeof updateInvoice>['body']['status']
const targets = invoiceDecision.shape.status.options

/** What the dialog holds. `status` may be the present one, also where no administrator could set it: then nothing is sent. */
export interface Decision {
  status: InvoiceStatus
  /** yyyy-MM-dd */
  paidAt: string
  acknowledgeDuplicate: boolean
}

/** The present status, then those it may become. */
export const statusOptions = ({ status }: Pick<AdminInvoice, 'status'>): InvoiceStatus[] => [
  status,
  ...targets.filter((target) => target !== status && canMove(status, target)),
]

/** A pending invoice is opened to be confirmed, with today's date; any other to be looked at. */
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

/** The body of the call. For today no date is sent: the server's clock knows the moment, the browser's may be wrong. */
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

/** The day a payment is dated to, where it is not simply now: what is previewed is what will be sent. */
export const paidAtToPreview = (status: InvoiceStatus, paidAt: string, today: string): string | undefined =>
  status === 'paid' && paidAt !== today && z.safeParse(z.iso.date(), paidAt).success ? paidAt : undefined

/** Today where the administrator sits, as date inputs spell it. */
export function localDate(now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
