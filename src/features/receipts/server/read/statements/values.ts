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

/**
 * Converts a local day and time to an ISO 8601 instant. `zone` is an abbreviation (`EST`), an offset (`GMT-05:00`) or a name (`America/New_York`). Null if the
 * time or zone is invalid.
 */
export function instantIn(day: string, time: string, zone: string): string | null {
  const [, hour, minute, second = '00'] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(time.trim()) ?? []
  if (!hour || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const local = Date.parse(`${day}T${hour.padStart(2, '0')}:${minute}:${second}Z`)
  const hours = zoneHours[zone.trim().toUpperCase()]
  if (hours !== undefined) return new Date(local - hours * 3_600_000).toISOString()
  const [, sign, offsetHours, offsetMinutes = '00'] = /^(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?$/i.exec(zone.trim()) ?? []
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

/**
 * Joins pieces of a text that was wrapped at a fixed length, even within a word. Puts a space after a complete order number and before one that begins a piece.
 */
export const joinCut = (pieces: string[]): string =>
  pieces.reduce((text, piece) => {
    const isApart = (completeNumber.test(text) && /^[\p{L}\p{N}]/u.test(piece)) || startsNumber.test(piece)
    return isApart && !/\s$/.test(text) && text !== '' ? `${text} ${piece}` : text + piece
  }, '')
