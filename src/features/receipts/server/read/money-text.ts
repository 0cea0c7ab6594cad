export type MoneyText = { cents: number; currency: string | null }

const symbols: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  C$: 'CAD',
  CA$: 'CAD',
  A$: 'AUD',
  MX$: 'MXN',
  US$: 'USD',
}
const number = String.raw`\d{1,3}(?:[.,'\u2019 ]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{2})?`
const money = new RegExp(`^(?:([A-Z]{3}) )?((?:CA|C|A|MX|US)?\\$|[€£])? ?(${number})(?: ?([A-Z]{3}|[€£]))?$`)

/** The source of a regular expression for an amount within a longer text: `$1,234.50`, `24,99 USD`. */
export const moneyPattern = String.raw`(?:(?:CA|C|A|MX|US)?\$|[€£])? ?(?:${number})(?:[ \u00a0](?:[A-Z]{3})\b)?`

/**
 * Reads `$31.49`, `$40` or `1.234,56 EUR` as positive cents with the currency. The currency is null if none is next to the amount; a `$` alone names no
 * currency. Returns null for any other text, including amounts with one or three decimals.
 */
export function readMoney(text: string): MoneyText | null {
  const [, before, symbol, digits, after] = money.exec(text.replace(/[\s\u00a0]+/g, ' ').trim()) ?? []
  if (!digits) return null
  const cents = centsOf(digits)
  if (cents === null) return null
  const named = before ?? (after && (symbols[after] ?? after)) ?? (symbol ? symbols[symbol] : undefined)
  return { cents, currency: named ?? null }
}

/** Returns digits with separators as cents. The last separator is the decimal separator if exactly two digits follow it. Null above 90 million. */
function centsOf(digits: string): number | null {
  const [, whole = '', decimals = '00'] = /^(.*?)(?:[.,](\d{2}))?$/.exec(digits) ?? []
  const plain = whole.replace(/\D/g, '')
  return plain.length > 0 && plain.length <= 9 ? Number(plain) * 100 + Number(decimals) : null
}
