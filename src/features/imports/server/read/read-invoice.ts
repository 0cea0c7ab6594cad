import * as z from 'zod/mini'
import type { Instant } from '#kit/dates.ts'
import { emailAddress, withoutControlCharacters } from '#kit/text.ts'
import { headingOf, type Row } from '#server/text-files/table.ts'
import { parseDay, signedCents } from '#server/text-files/values.ts'
import type { InvoiceMapping } from '../../admin-contract.ts'
import { type EarlierStatus, earlierStatusOf, type InvoiceField, type InvoiceRefusal } from '../../invoice-rules.ts'
import { cellReader, dayOfTimestamp, emailIn } from './cells.ts'

/** An invoice as described by a row. `amount` is in cents, `reason` says why the row is refused. Values that could not be read are null. */
export type ParsedInvoice = {
  line: number
  reason: InvoiceRefusal | null
  email: string
  otherId: string | null
  number: string | null
  issuedOn: string | null
  amount: number | null
  status: EarlierStatus | null
  description: string | null
}

const maxCents = 10_000_000
const maxLength = { id: 64, number: 64, description: 500 }
const address = emailAddress('')
const otherCurrency = /[€£]|\b(?:EUR|GBP|CAD)\b/i

/**
 * Returns a function that reads the rows of a table with these columns, and refuses a row whose invoice number an earlier valid row has. Dates are
 * checked relative to `now`.
 */
export function invoiceReader(columns: string[], mapping: InvoiceMapping, now: Instant): (row: Row) => ParsedInvoice {
  const cellsOf = cellReader<InvoiceField>(columns, mapping)
  // Tomorrow in UTC, because the other system may use a time zone ahead of UTC.
  const lastDay = new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10)
  const numbers = new Set<string>()
  return (row) => {
    const cell = cellsOf(row)
    const invoice = fieldsOf(row.line, cell, mapping)
    const reason = row.cells.some(Boolean)
      ? (customerProblem(invoice) ?? numberProblem(invoice, numbers) ?? valueProblem(invoice, cell, lastDay))
      : 'columns'
    if (reason) return shortened({ ...invoice, reason })
    numbers.add(invoice.number!)
    return invoice
  }
}

function fieldsOf(
  line: number,
  cell: (field: InvoiceField) => string,
  { dateFormat, decimal }: InvoiceMapping,
): ParsedInvoice {
  const day = cell('issuedOn')
  const amount = cell('amount')
  return {
    line,
    reason: null,
    email: emailIn(cell('email')),
    otherId: cell('otherId') || null,
    number: cell('number') || cell('invoiceId') || null,
    issuedOn: dayOfTimestamp(day) ?? parseDay(day, dateFormat),
    amount: signedCents(amount, decimal),
    status: earlierStatusOf(headingOf(cell('status'))),
    description: cell('description').replace(/\s+/g, ' ').normalize('NFC') || null,
  }
}

function customerProblem({ email, otherId, number, description }: ParsedInvoice): InvoiceRefusal | null {
  const texts = [email, otherId, number, description]
  if (texts.some((text) => text !== null && withoutControlCharacters(text) !== text)) return 'invoice_text'
  if (email === '' && otherId === null) return 'customer_missing'
  const isAddress = email !== '' && z.safeParse(address, email).success
  return isAddress || (otherId !== null && otherId.length <= maxLength.id) ? null : 'customer_unknown'
}

function numberProblem({ number }: ParsedInvoice, known: Set<string>): InvoiceRefusal | null {
  if (number === null) return 'number_missing'
  if (number.length > maxLength.number) return 'number_too_long'
  return known.has(number) ? 'number_repeated' : null
}

function valueProblem(
  { issuedOn, amount, status, description }: ParsedInvoice,
  cell: (field: InvoiceField) => string,
  lastDay: string,
): InvoiceRefusal | null {
  if (issuedOn === null) return 'date'
  if (issuedOn < '2000-01-01' || issuedOn > lastDay) return 'date_range'
  if (!/^(|usd|us\$|\$|us dollars?)$/i.test(cell('currency')) || otherCurrency.test(cell('amount'))) return 'currency'
  if (amount === null) return 'amount'
  if (amount < 0) return 'amount_negative'
  if (amount > maxCents) return 'amount_too_high'
  if (status === null) return headingOf(cell('status')) === 'draft' ? 'status_draft' : 'status'
  return (description?.length ?? 0) > maxLength.description ? 'description' : null
}

/** Keeps only what the list of rows shows, cut to the lengths that can be stored. */
const shortened = (invoice: ParsedInvoice): ParsedInvoice => {
  const { email, otherId, number, amount } = invoice
  return {
    ...invoice,
    email: withoutControlCharacters(email).slice(0, 254),
    otherId: otherId && (withoutControlCharacters(otherId).slice(0, maxLength.id) || null),
    number: number && withoutControlCharacters(number).slice(0, 100),
    amount: amount !== null && Math.abs(amount) <= maxCents ? amount : null,
    description: null,
  }
}
