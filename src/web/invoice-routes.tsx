import { lazyRouteComponent } from '@tanstack/react-router'
import { getCreditNote, getInvoice, listInvoices, listRefunds } from '#features/billing/contract.ts'
import { getPaymentMethods } from '#features/settings/contract.ts'
import { query } from './data.ts'
import { page, textParam } from './route.tsx'

// The routes of the invoice and credit note pages.
const invoices = page({
  path: '/invoices',
  who: 'member',
  title: 'Your Invoices',
  search: (s): { tab?: string; search?: string } => ({ tab: textParam(s.tab), search: textParam(s.search) }),
  tryLoad: () => [query(listInvoices)],
  page: lazyRouteComponent(() => import('./pages/dashboard/invoices-page.tsx'), 'InvoicesPage'),
})
const invoice = page({
  path: '/invoice/$invoiceNumber',
  who: 'member',
  title: (brand, { invoiceNumber }) => `Invoice ${invoiceNumber} – ${brand}`,
  load: () => [query(getPaymentMethods)],
  tryLoad: ({ params: { invoiceNumber = '' } }) => [
    query(getInvoice, { params: { invoiceNumber } }),
    query(listRefunds),
  ],
  page: lazyRouteComponent(() => import('#features/billing/web/invoice/invoice-page.tsx'), 'InvoicePage'),
})
const creditNote = page({
  path: '/credit-note/$creditNoteNumber',
  who: 'member',
  title: (brand, { creditNoteNumber }) => `Credit note ${creditNoteNumber} – ${brand}`,
  load: () => [query(getPaymentMethods)],
  tryLoad: ({ params: { creditNoteNumber = '' } }) => [query(getCreditNote, { params: { creditNoteNumber } })],
  page: lazyRouteComponent(() => import('#features/billing/web/invoice/credit-note-page.tsx'), 'CreditNotePage'),
})
const invoiceAlias = page({
  path: '/invoices/$invoiceNumber',
  who: 'anyone',
  title: 'Invoice',
  page: lazyRouteComponent(() => import('./pages/invoice-alias.tsx'), 'InvoiceAlias'),
})

export const invoiceRoutes = [invoices, invoice, creditNote, invoiceAlias] as const
