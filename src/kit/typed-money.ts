/** Parses a typed dollar amount (`14.99`, `$1,299` or `7`) into cents; null for anything else, including negative amounts. */
export function parseDollars(typed: string): number | null {
  const [, dollars, cents = ''] = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(typed.trim()) ?? []
  return dollars === undefined ? null : Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'))
}

/** Formats cents for a text input: `1499` as `14.99`. */
export const formatDollarsInput = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
