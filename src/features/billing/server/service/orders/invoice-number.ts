import { randomInt } from 'node:crypto'
import { checkCharacterOf, invoiceSymbols } from '../../../check-character-rules.ts'
import { invoiceNumberOf } from '../../../rules.ts'

/** Returns a random invoice number: five random characters and their check character. The number is not a credential: every read also filters by owner. */
export function randomInvoiceNumber(): string {
  const five = Array.from({ length: 5 }, () => invoiceSymbols[randomInt(invoiceSymbols.length)]).join('')
  return invoiceNumberOf(five + checkCharacterOf(five))
}
