// Endpoints of a customer about the invoices of the system that was used before.
import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { cents } from '#kit/text.ts'
import { earlierStatuses } from './invoice-rules.ts'

const earlierInvoice = z.object({
  id: z.int(),
  /** The number in the other system. */
  number: z.string(),
  /** A day: `2024-03-31`. */
  issuedOn: z.string(),
  description: z.nullable(z.string()),
  amount: cents,
  status: z.enum(earlierStatuses),
})
export type EarlierInvoice = z.output<typeof earlierInvoice>
/** The next invoices, newest first, and the position of the page after them; null on the last one. */
export const earlierInvoicePage = z.object({ rows: z.array(earlierInvoice), next: z.nullable(z.string()) })
/** A position: the id of the last invoice of the page before. */
export const earlierInvoiceQuery = z.object({
  after: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'Unknown page'))),
})

export const listEarlierInvoices = get('/api/earlier-invoices', {
  summary: 'Own invoices of the system that was used before, newest first',
  access: 'member',
  query: earlierInvoiceQuery,
  output: earlierInvoicePage,
})
