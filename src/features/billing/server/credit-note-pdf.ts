import { formatCents } from '#kit/money.ts'
import { startPdf } from '#server/pdf/pdf-document.ts'
import type { CreditNoteDetail } from '../contract.ts'
import { creditNoteItems } from '../refund-rules.ts'
import { methodNames } from '../rules.ts'
import { type PdfBrand, writeBrand } from './pdf-brand.ts'

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const longDay = (instant: string): string => day.format(new Date(instant))

/** Renders a credit note on one Letter page. Deterministic: the same note gives the same bytes. */
export async function creditNotePdf(note: CreditNoteDetail, brand: PdfBrand): Promise<Uint8Array<ArrayBuffer>> {
  const { invoice, user } = note
  const pdf = await startPdf({
    title: `Credit Note ${note.number}`,
    author: brand.name,
    madeAt: new Date(note.issuedAt),
  })
  writeBrand(pdf, brand)
  pdf.text(`Credit Note ${note.number}`, { size: 25, bold: true, gap: 14 })
  const facts: [string, string | null][] = [
    ['Issue date', longDay(note.issuedAt)],
    ['For invoice', invoice.invoiceNumber],
    ['Payment date', invoice.paidAt && longDay(invoice.paidAt)],
    ['Refund method', note.amount > 0 && invoice.paymentMethod ? methodNames[invoice.paymentMethod] : null],
    ['Reference', note.paymentReference],
  ]
  pdf.columns(
    () => {
      for (const [label, value] of facts) if (value) pdf.text(`${label}: ${value}`, { gap: 1 })
    },
    () => {
      pdf.text('Paid back', { color: 'gray', size: 9.5, align: 'right' })
      pdf.text(formatCents(note.amount), { size: 23, bold: true, align: 'right' })
      if (note.creditReturned > 0)
        pdf.text(`and ${formatCents(note.creditReturned)} as account credit`, { align: 'right' })
    },
  )
  pdf.rule()
  pdf.columns(
    () => {
      pdf.heading('From')
      brand.seller.forEach((line, index) => {
        pdf.text(line, index === 0 ? { bold: true } : { color: 'gray' })
      })
    },
    () => {
      pdf.heading('Credited To')
      pdf.text(user.username, { bold: true })
      pdf.text(user.email, { color: 'gray' })
    },
  )
  pdf.rule()
  pdf.table(
    [{ share: 0.8 }, { share: 0.2, align: 'right' }],
    [
      ['Description', 'Amount'],
      ...creditNoteItems(note).map(({ description, amount }) => [description, formatCents(amount)]),
      ['Total', formatCents(-note.amount)],
    ],
  )
  return pdf.bytes()
}
