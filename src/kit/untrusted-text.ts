// Text from outside, such as the note of a payment.

/** Nine digits or more that stand alone, digits in the groups of a card, and what may be an IBAN. */
const longNumber =
  /(?<![\p{L}\p{N}])(?:\d{9,34}|\d{4}(?:[ -]\d{4}){2}[ -]\d{1,7}|\d{4}[ -]\d{6}[ -]\d{5}|[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,3})?)(?![\p{L}\p{N}])/giu

/** Whether the check digits of an IBAN are right: without that, ordinary words would be taken for one. `RF` begins a reference of an invoice. */
function isIban(text: string): boolean {
  if (text.startsWith('RF')) return false
  let rest = 0
  for (const sign of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** Replaces the numbers of cards and accounts with their last four characters: `4111 1111 1111 1111` is `••••1111`. */
export const maskNumbers = (text: string): string =>
  text.replace(longNumber, (found) => {
    const plain = found.replace(/[ -]/g, '')
    return /^\d+$/.test(plain) || isIban(plain.toUpperCase()) ? `••••${plain.slice(-4)}` : found
  })

// Controls, line and paragraph separators, soft hyphens, and characters of no width or of the other direction. Emoji are joined by U+200D.
const hidden =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d/gu

/** Shows characters that cannot be seen, or that change the order of others, by their code: `[U+202E]`. */
export const withVisibleMarks = (text: string): string =>
  text.replace(hidden, (sign) => `[U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`)
