import { randomInt } from 'node:crypto'
import { invoiceNumberOf } from '../../../rules.ts'

// 0, O, 1 and I are left out: they are easily confused when a number is copied by hand.
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** A random invoice number. It is not a credential: every read also filters by owner. */
export const randomInvoiceNumber = (): string =>
  invoiceNumberOf(Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join(''))
