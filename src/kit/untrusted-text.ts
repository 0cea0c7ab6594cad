// Functions for text from outside, such as the note of a payment.

/** Matches 9 to 34 consecutive digits, digits grouped as on a card, and possible IBANs, but not as a part of a longer word or number. */
const longNumber =
  /(?<![\p{L}\p{N}])(?:\d{9,34}|\d{4}(?:[ -]\d{4}){2}[ -]\d{1,7}|\d{4}[ -]\d{6}[ -]\d{5}|[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,3})?)(?![\p{L}\p{N}])/giu

/** Whether the check digits of a possible IBAN are right, so that ordinary words are not masked. `RF` begins an invoice reference, not an IBAN. */
function isIban(text: string): boolean {
  if (text.startsWith('RF')) return false
  let rest = 0
  for (const sign of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(sign, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** Replaces card and account numbers with their last four characters: `4111 1111 1111 1111` is `••••1111`. */
export const maskNumbers = (text: string): string =>
  text.replace(longNumber, (found) => {
    const plain = found.replace(/[ -]/g, '')
    return /^\d+$/.test(plain) || isIban(plain.toUpperCase()) ? `••••${plain.slice(-4)}` : found
  })

// Controls, line and paragraph separators, soft hyphens, zero-width characters and direction overrides. U+200D may join emoji.
const hidden =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d/gu

/** Replaces characters that are invisible or change the text direction with their code point, such as `[U+202E]`. */
export const withVisibleMarks = (text: string): string =>
  text.replace(hidden, (sign) => `[U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`)
