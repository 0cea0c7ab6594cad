import type { PaymentMethods } from '#features/settings/contract.ts'
import { formatCents } from '#kit/money.ts'
import { startPdf } from '#server/pdf/pdf-document.ts'
import type { CreditNoteDetail } from '../contract.ts'
import { creditNoteRows, methodNames } from '../rules.ts'

const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })
const longDay = (instant: string): string => day.format(new Date(instant))

/** The credit note as its page shows it, on one Letter page. The same note makes the same bytes. */
export async function creditNotePdf(
  note: CreditNoteDetail,
  { brand, handles }: { brand: string; handles: PaymentMethods },
): Promise<Uint8Array<ArrayBuffer>> {
  const { invoice, user } = note
  const paper = await startPdf({
    title: `Credit Note ${note.number}`,
    author: brand,
    madeAt: new Date(note.issuedAt),
  })
  paper.text(brand, { size: 16, bold: true, gap: 12 })
  paper.text(`Credit Note ${note.number}`, { size: 25, bold: true, gap: 14 })
  const facts: [string, string | null][] = [
    ['Issue date', longDay(note.issuedAt)],
    ['For invoice', invoice.invoiceNumber],
    ['Payment date', invoice.paidAt && longDay(invoice.paidAt)],
    ['Paid back by', note.amount > 0 && invoice.paymentMethod ? methodNames[invoice.paymentMethod] : null],
    ['Reference', note.paymentReference],
  ]
  paper.columns(
    () => {
      for (const [label, value] of facts) if (value) paper.text(`${label}: ${value}`, { gap: 1 })
    },
    () => {
      paper.text('Paid back', { color: 'grey', size: 9.5, align: 'right' })
      paper.text(formatCents(note.amount), { size: 23, bold: true, align: 'right' })
      if (note.creditReturned > 0)
        paper.text(`and ${formatCents(note.creditReturned)} as account credit`, { align: 'right' })
    },
  )
  paper.rule()
  paper.columns(
    () => {
      paper.heading('From')
      handles.billFrom.forEach((line, index) => {
        paper.text(line, index === 0 ? { bold: true } : { color: 'grey' })
      })
    },
    () => {
      paper.heading('Credited To')
      paper.text(user.username, { bold: true })
      paper.text(user.email, { color: 'grey' })
    },
  )
  paper.rule()
  paper.table(
    [{ share: 0.8 }, { share: 0.2, align: 'right' }],
    [
      ['Description', 'Amount'],
      ...creditNoteRows(note).map(({ description, amount }) => [description, formatCents(amount)]),
      ['Total', formatCents(-note.amount)],
    ],
  )
  return paper.bytes()
}
