/** The symbols of an invoice number. 0, O, 1 and I are left out: they are easily confused when a number is copied by hand. */
export const invoiceSymbols = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** The weights of the six characters in GF(32): powers of 2, so that any single typo and any swap makes the weighted sum nonzero. */
const weights = [2, 4, 8, 16, 5, 1]

/** Returns the product of two elements of GF(32), defined by the polynomial x^5 + x^2 + 1. */
function product(left: number, right: number): number {
  let result = 0
  for (let factor = left, rest = right; rest > 0; rest >>= 1) {
    if (rest & 1) result ^= factor
    factor <<= 1
    if (factor & 32) factor ^= 37
  }
  return result
}

const products = weights.map((weight) =>
  Array.from({ length: invoiceSymbols.length }, (_, value) => product(weight, value)),
)

/** Returns the weighted sum of the characters; null if one of them is not in `invoiceSymbols`. */
function weightedSum(characters: string): number | null {
  let sum = 0
  for (let at = 0; at < characters.length; at++) {
    const value = invoiceSymbols.indexOf(characters.charAt(at))
    if (value < 0) return null
    sum ^= products[at]![value]!
  }
  return sum
}

/** Returns the check character for the first five characters of an invoice number. Throws if they are not five of `invoiceSymbols`. */
export function checkCharacterOf(five: string): string {
  const sum = five.length === 5 ? weightedSum(five) : null
  if (sum === null) throw new Error('Not the first five characters of an invoice number')
  return invoiceSymbols.charAt(sum)
}

/** Whether the six characters of an invoice number (without `ORD-`) end in the correct check character. Older numbers have no check character. */
export const hasCheckCharacter = (six: string): boolean => six.length === 6 && weightedSum(six) === 0

/**
 * Returns all numbers with a correct check character that differ from the six typed characters by one changed character or by one swap. If a typed
 * character is not in `invoiceSymbols`, it is the one that is changed.
 */
export function repairsOf(six: string): string[] {
  const found = new Set<string>()
  const characters = [...six]
  for (const at of characters.keys()) {
    for (const symbol of invoiceSymbols) found.add(characters.with(at, symbol).join(''))
    for (let other = at + 1; other < characters.length; other++)
      found.add(characters.with(at, characters[other]!).with(other, characters[at]!).join(''))
  }
  found.delete(six)
  return [...found].filter(hasCheckCharacter)
}
