import { randomInt } from 'node:crypto'

// Without 0, O, 1 and I, which people mistype when they copy a number by hand.
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** `ORD-` and six characters drawn by a CSPRNG. A name for people, never a credential: every read filters by owner. */
export const drawInvoiceNumber = (): string =>
  `ORD-${Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('')}`
