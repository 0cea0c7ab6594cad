import type { PaymentMethods } from '#features/settings/contract.ts'
import { formatCents } from '#kit/money.ts'
import { type PdfDocument, startPdf } from '#server/pdf/pdf-document.ts'
import type { InvoiceDetail, InvoiceStatus } from '../contract.ts'
import { billToLines, defaultDescription, methodNames } from '../rules.ts'
import { paymentInstructions } from './invoice-instructions.ts'
import { type PdfBrand, writeBrand } from './pdf-brand.ts'

const statusLabels: Record<InvoiceStatus, string> = {
  draft: 'Draft',
  pending: 'Pending',
  paid: 'Paid',
  cancelled: 'Cancelled',
  expired: 'Expired',
  refunded: 'Refunded',
}
const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const longDay = (instant: string): string => day.format(new Date(instant))

/** Renders an invoice on one Letter page. Deterministic: the same invoice gives the same bytes. */
export async function invoicePdf(
  detail: InvoiceDetail,
  { brand, paymentSettings }: { brand: PdfBrand; paymentSettings: PaymentMethods },
): Promise<Uint8Array<ArrayBuffer>> {
  const { invoice, status, user, customerDetails } = detail
  const pdf = await startPdf({
    title: `Invoice ${invoice.invoiceNumber}`,
    author: brand.name,
    madeAt: new Date(invoice.createdAt),
  })
  pdf.columns(
    () => writeBrand(pdf, brand),
    () =>
      pdf.text(statusLabels[status], {
        size: 12,
        bold: true,
        align: 'right',
        color: status === 'paid' ? 'green' : 'gray',
      }),
  )
  pdf.text(`Invoice ${invoice.invoiceNumber}`, { size: 25, bold: true, gap: 14 })
  pdf.columns(
    () => writeDetails(pdf, detail),
    () => {
      pdf.text('Amount', { color: 'gray', size: 9.5, align: 'right' })
      pdf.text(formatCents(invoice.amount), { size: 23, bold: true, align: 'right' })
      if (status === 'paid') pdf.text('Paid in full', { bold: true, color: 'green', align: 'right' })
    },
  )
  pdf.rule()
  pdf.columns(
    () => writeParty(pdf, 'From', brand.seller),
    () => writeParty(pdf, 'Bill To', [user.username, ...billToLines(user.email, customerDetails)]),
  )
  pdf.rule()
  writeItems(pdf, detail)
  if (invoice.notes) {
    pdf.rule()
    pdf.heading('Notes')
    pdf.text(invoice.notes)
  }
  const instructions = paymentInstructions(detail, paymentSettings)
  if (instructions.length > 0) {
    pdf.rule()
    pdf.heading('Payment instructions')
    for (const { text, link } of instructions) pdf.text(text, { link, gap: 3 })
  }
  return pdf.bytes()
}

function writeDetails(pdf: PdfDocument, { invoice, status }: InvoiceDetail): void {
  const isOpen = status === 'pending' || status === 'draft'
  const facts: [string, string | null][] = [
    ['Issue date', longDay(invoice.createdAt)],
    ['Payment date', invoice.paidAt && longDay(invoice.paidAt)],
    ['Pay by', isOpen && !invoice.submittedAt ? longDay(invoice.expiresAt) : null],
    ['Payment method', invoice.paymentMethod && methodNames[invoice.paymentMethod]],
  ]
  for (const [label, value] of facts) if (value) pdf.text(`${label}: ${value}`, { gap: 1 })
}

function writeParty(pdf: PdfDocument, title: string, [name = '', ...rest]: string[]): void {
  pdf.heading(title)
  pdf.text(name, { bold: true })
  for (const each of rest) pdf.text(each, { color: 'gray' })
}

function writeItems(pdf: PdfDocument, { invoice, lines }: InvoiceDetail): void {
  const shown =
    lines.length > 0 ? lines : [{ description: invoice.description || defaultDescription, amount: invoice.amount }]
  pdf.table(
    [
      { share: 0.55 },
      { share: 0.13, align: 'right' },
      { share: 0.16, align: 'right' },
      { share: 0.16, align: 'right' },
    ],
    [
      ['Description', 'Quantity', 'Unit price', 'Amount'],
      ...shown.map(({ description, amount }) => [description, '1', formatCents(amount), formatCents(amount)]),
      ['Total', '', '', formatCents(invoice.amount)],
    ],
  )
}
