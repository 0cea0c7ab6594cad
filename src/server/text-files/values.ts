/** Returns the signed cents of an amount such as `$1,049.98`, `-$2.90`, `+ $120.00`, `(12.00)`, `1.234,56`, `29,9`. Null if it is not an amount. */
export function signedCents(text: string, decimal: '.' | ',' | null = null): number | null {
  const plain = text.replace(/[\s\u00a0$€£'\u2019]|USD|EUR|GBP|CAD/g, '').replace(/\u2212/g, '-')
  const [, open = '', sign, digits, close] = /^(\(?)([+-]?)([\d.,]+)(\)?)$/.exec(plain) ?? []
  if (!digits || !/\d/.test(digits) || open.length !== close!.length) return null
  const point = decimal ?? decimalOf(digits)
  const thousands = point === ',' ? '.' : ','
  const [whole = '', cents = '', ...more] = digits.split(point)
  const grouped = whole.includes(thousands) ? /^\d{1,3}(?:[.,]\d{3})+$/.test(whole) : true
  if (more.length > 0 || cents.length > 2 || cents.includes(thousands) || !grouped) return null
  const number = Number(whole.replaceAll(thousands, '') || '0') * 100 + Number(cents.padEnd(2, '0'))
  if (!Number.isSafeInteger(number) || number > 100_000_000_00) return null
  return open || sign === '-' ? -number : number
}

/** Returns the decimal separator of an amount: the last separator, unless three digits follow it. */
function decimalOf(digits: string): '.' | ',' {
  const last = digits.charAt(Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(',')))
  const tail = digits.length - 1 - digits.lastIndexOf(last)
  if (last === ',') return tail === 3 ? '.' : ','
  return tail === 3 && digits.includes('.') && !digits.includes(',') && digits.split('.').length > 2 ? ',' : '.'
}

const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Returns a day as `YYYY-MM-DD`; null if there is no such day. */
export function dayOf(year: number, month: number, day: number): string | null {
  const full = year < 100 ? 2000 + year : year
  const length = monthLengths[month - 1]
  if (!length || day < 1 || day > length || full < 1990 || full > 2199) return null
  if (month === 2 && day === 29 && new Date(Date.UTC(full, 1, 29)).getUTCDate() !== 29) return null
  const two = (value: number) => String(value).padStart(2, '0')
  return `${full}-${two(month)}-${two(day)}`
}

/**
 * Parses a date in a format such as `dd.MM.yyyy`, `M/d/yy` or `yyyy-MM-dd`. A time after the date is ignored. Returns `YYYY-MM-DD`; null if it is not a
 * date.
 */
export function parseDay(text: string, format: string): string | null {
  const order = format.match(/d+|M+|y+/g)?.map((part) => part.charAt(0)) ?? []
  const plain = text.trim()
  const isPacked = !/[^dMy]/.test(format)
  const numbers = isPacked ? packed(plain, format) : /^(\d+)\D+(\d+)\D+(\d+)(?:\D.*)?$/.exec(plain)?.slice(1)
  if (order.length !== 3 || numbers?.length !== 3) return null
  const at = (unit: string) => Number(numbers[order.indexOf(unit)])
  return dayOf(at('y'), at('M'), at('d'))
}

const packed = (text: string, format: string): string[] =>
  (format.match(/d+|M+|y+/g) ?? []).map((part) => text.slice(format.indexOf(part), format.indexOf(part) + part.length))
