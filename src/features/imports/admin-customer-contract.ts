import * as z from 'zod/mini'
import { get } from '#kit/endpoint.ts'
import { idParam } from '#kit/text.ts'
import { earlierInvoicePage, earlierInvoiceQuery } from './contract.ts'

export const listCustomerEarlierInvoices = get('/api/admin/users/:userId/earlier-invoices', {
  summary: 'A customer’s invoices from the previous system, newest first',
  access: 'admin',
  needs: 'invoices.read',
  dependsOn: ['user'],
  params: z.object({ userId: idParam }),
  query: earlierInvoiceQuery,
  output: earlierInvoicePage,
})
