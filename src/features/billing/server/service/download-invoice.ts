import * as settings from '#features/settings/server/service.ts'
import type { Download } from '#kit/download.ts'
import type { Db } from '#server/db/connect.ts'
import type { Reader } from '#server/session/session.ts'
import { invoicePdf } from '../invoice-pdf.ts'
import { readPdfBrand } from '../pdf-brand.ts'
import { invoiceDetail } from './read-invoices.ts'

/**
 * Returns an invoice as a PDF. The access rules are the same as for its page: throws 404, including for another customer's invoice, and audits access
 * by staff.
 */
export async function downloadInvoice(
  db: Db,
  reader: Reader,
  invoiceNumber: string,
  requestId: string,
): Promise<Download> {
  const [detail, brand, paymentSettings] = await Promise.all([
    invoiceDetail(db, reader, invoiceNumber, requestId),
    readPdfBrand(db),
    settings.read(db, 'payments'),
  ])
  return {
    name: `Invoice-${detail.invoice.invoiceNumber}.pdf`,
    bytes: await invoicePdf(detail, { brand, paymentSettings }),
  }
}
