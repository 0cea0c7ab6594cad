// Customer endpoints for their invoices from the previous system.
import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { cents } from '#kit/text.ts'
import { earlierStatuses } from './invoice-rules.ts'

const earlierInvoice = z.object({
  id: z.int(),
  /** The invoice number in the previous system. */
  number: z.string(),
  /** A day: `2024-03-31`. */
  issuedOn: z.string(),
  description: z.nullable(z.string()),
  amount: cents,
  status: z.enum(earlierStatuses),
})
export type EarlierInvoice = z.output<typeof earlierInvoice>
/** One page of invoices, newest first. `next` is the position of the next page; null on the last page. */
export const earlierInvoicePage = z.object({ rows: z.array(earlierInvoice), next: z.nullable(z.string()) })
/** `after` is the position of a page: the id of the last invoice on the page before it. */
export const earlierInvoiceQuery = z.object({
  after: z.optional(z.string().check(z.regex(/^\d{1,15}$/, 'Unknown page'))),
})

export const listEarlierInvoices = get('/api/earlier-invoices', {
  summary: 'The customer’s own invoices from the previous system, newest first',
  access: 'member',
  query: earlierInvoiceQuery,
  output: earlierInvoicePage,
})
