/** Signed cents of `$1,049.98`, `-$2.90`, `+ $120.00`, `(12.00)`, `1.234,56`, `29,9`. Null if it is not an amount. */
export function signedCents(text: string, decimal: '.' | ',' | null = null): number | null {
  const plain = text.replace(/[\s\u00a0$€£'\u2019]|USD|EUR|GBP|CAD/g, '').replace(/\u2212/g, '-')
  const [, open, sign, digits] = /^(\()?([+-]?)([\d.,]+)\)?$/.exec(plain) ?? []
  if (!digits || !/\d/.test(digits)) return null
  const point = decimal ?? decimalOf(digits)
  const thousands = point === ',' ? '.' : ','
  const [whole = '', cents = '', ...more] = digits.split(point)
  const grouped = whole.includes(thousands) ? /^\d{1,3}(?:[.,]\d{3})+$/.test(whole) : true
  if (more.length > 0 || cents.length > 2 || cents.includes(thousands) || !grouped) return null
  const number = Number(whole.replaceAll(thousands, '') || '0') * 100 + Number(cents.padEnd(2, '0'))
  if (!Number.isSafeInteger(number) || number > 100_000_000_00) return null
  return open || sign === '-' ? -number : number
}

/** The decimal sign of one amount: the last separator, unless three digits follow it. */
function decimalOf(digits: string): '.' | ',' {
  const last = digits.charAt(Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(',')))
  const tail = digits.length - 1 - digits.lastIndexOf(last)
  if (last === ',') return tail === 3 ? '.' : ','
  return tail === 3 && digits.includes('.') && !digits.includes(',') && digits.split('.').length > 2 ? ',' : '.'
}

const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A day as `YYYY-MM-DD`; null if there is no such day. */
export function dayOf(year: number, month: number, day: number): string | null {
  const full = year < 100 ? 2000 + year : year
  const length = monthLengths[month - 1]
  if (!length || day < 1 || day > length || full < 1990 || full > 2199) return null
  if (month === 2 && day === 29 && new Date(Date.UTC(full, 1, 29)).getUTCDate() !== 29) return null
  const two = (value: number) => String(value).padStart(2, '0')
  return `${full}-${two(month)}-${two(day)}`
}

/** Reads a date of the form `dd.MM.yyyy`, `M/d/yy`, `yyyy-MM-dd`; a time behind it is ignored. */
export function dayIn(text: string, format: string): string | null {
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

const zoneHours: Record<string, number> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  AST: -4,
  ADT: -3,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  CEST: 2,
  MEZ: 1,
  MESZ: 2,
  EET: 2,
  EEST: 3,
}

/** The instant of a local day and time in a zone: letters (`EST`), an offset (`GMT-05:00`) or a name (`America/New_York`). */
export function instantIn(day: string, time: string, zone: string): string | null {
  const [, hour, minute, second = '00'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(time.trim()) ?? []
  if (!hour || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const local = Date.parse(`${day}T${hour.padStart(2, '0')}:${minute}:${second}Z`)
  const hours = zoneHours[zone.trim().toUpperCase()]
  const [, sign, offsetHours, offsetMinutes = '00'] = /^(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(zone.trim()) ?? []
  if (hours !== undefined) return new Date(local - hours * 3_600_000).toISOString()
  if (sign) {
    const minutes = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1)
    return new Date(local - minutes * 60_000).toISOString()
  }
  return zone.includes('/') ? inNamedZone(local, zone.trim()) : null
}

function inNamedZone(local: number, zone: string): string | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    })
    const wallClock = (instant: number) => {
      const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
      return Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`)
    }
    const guess = local - (wallClock(local) - local)
    return new Date(guess - (wallClock(guess) - local)).toISOString()
  } catch {
    return null
  }
}

const completeNumber = /(?:^|[^\p{L}\p{N}])ORD[\s\p{Pd}:.#]?[A-Z0-9]{6}$/iu
const startsNumber = /^ORD[\s\p{Pd}:.#][A-Z0-9]{6}/iu

/** Joins pieces that were cut at a length, also within a word, but keeps a complete order number apart from what follows it. */
export const joinCut = (pieces: string[]): string =>
  pieces.reduce((text, piece) => {
    const isApart = (completeNumber.test(text) && /^[\p{L}\p{N}]/u.test(piece)) || startsNumber.test(piece)
    return isApart && !/\s$/.test(text) && text !== '' ? `${text} ${piece}` : text + piece
  }, '')
