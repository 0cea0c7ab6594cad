import { randomInt } from 'node:crypto'
import { invoiceAlphabet, invoiceNumberOf } from '../../../rules.ts'

/** A random invoice number. It is not a credential: every read also filters by owner. */
export const randomInvoiceNumber = (): string =>
  invoiceNumberOf(Array.from({ length: 6 }, () => invoiceAlphabet[randomInt(invoiceAlphabet.length)]).join(''))
