import type { PaymentMethods } from '#features/settings/contract.ts'
import { formatCents } from '#kit/money.ts'
import { type PdfDocument, startPdf } from '#server/pdf/pdf-document.ts'
import type { InvoiceDetail, InvoiceStatus } from '../contract.ts'
import { defaultDescription, methodNames } from '../rules.ts'
import { paymentInstructions } from './invoice-instructions.ts'

const statusWords: Record<InvoiceStatus, string> = {
  draft: 'Draft',
  pending: 'Pending',
  paid: 'Paid',
  cancelled: 'Cancelled',
  expired: 'Expired',
  refunded: 'Refunded',
}
const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const longDay = (instant: string): string => day.format(new Date(instant))

/** The invoice as its page shows it, on one Letter page. The same invoice makes the same bytes. */
export async function invoicePdf(
  detail: InvoiceDetail,
  { brand, handles }: { brand: string; handles: PaymentMethods },
): Promise<Uint8Array<ArrayBuffer>> {
  const { invoice, status, user, customerDetails } = detail
  const paper = await startPdf({
    title: `Invoice ${invoice.invoiceNumber}`,
    author: brand,
    madeAt: new Date(invoice.createdAt),
  })
  paper.columns(
    () => paper.text(brand, { size: 16, bold: true, gap: 12 }),
    () =>
      paper.text(statusWords[status], {
        size: 12,
        bold: true,
        align: 'right',
        color: status === 'paid' ? 'green' : 'grey',
      }),
  )
  paper.text(`Invoice ${invoice.invoiceNumber}`, { size: 25, bold: true, gap: 14 })
  paper.columns(
    () => writeFacts(paper, detail),
    () => {
      paper.text('Amount', { color: 'grey', size: 9.5, align: 'right' })
      paper.text(formatCents(invoice.amount), { size: 23, bold: true, align: 'right' })
      if (status === 'paid') paper.text('Paid in full', { bold: true, color: 'green', align: 'right' })
    },
  )
  paper.rule()
  paper.columns(
    () => writeParty(paper, 'From', handles.billFrom),
    () =>
      writeParty(paper, 'Bill To', [
        user.username,
        user.email || 'No email provided',
        ...customerDetails.split('\n').filter(Boolean),
      ]),
  )
  paper.rule()
  writeLines(paper, detail)
  if (invoice.notes) {
    paper.rule()
    paper.heading('Notes')
    paper.text(invoice.notes)
  }
  const instructions = paymentInstructions(detail, handles)
  if (instructions.length > 0) {
    paper.rule()
    paper.heading('Payment instructions')
    for (const { text, link } of instructions) paper.text(text, { link, gap: 3 })
  }
  return paper.bytes()
}

function writeFacts(paper: PdfDocument, { invoice, status }: InvoiceDetail): void {
  const isOpen = status === 'pending' || status === 'draft'
  const facts: [string, string | null][] = [
    ['Issue date', longDay(invoice.createdAt)],
    ['Payment date', invoice.paidAt && longDay(invoice.paidAt)],
    ['Pay by', isOpen && !invoice.submittedAt ? longDay(invoice.expiresAt) : null],
    ['Payment method', invoice.paymentMethod && methodNames[invoice.paymentMethod]],
  ]
  for (const [label, value] of facts) if (value) paper.text(`${label}: ${value}`, { gap: 1 })
}

function writeParty(paper: PdfDocument, title: string, [name = '', ...rest]: string[]): void {
  paper.heading(title)
  paper.text(name, { bold: true })
  for (const each of rest) paper.text(each, { color: 'grey' })
}

function writeLines(paper: PdfDocument, { invoice, lines }: InvoiceDetail): void {
  const shown =
    lines.length > 0 ? lines : [{ description: invoice.description || defaultDescription, amount: invoice.amount }]
  paper.table(
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
