/** Parses dollars as a person types them (`14.99`, `$1,299`, `7`). Returns cents, or null for any other text, including negative amounts. */
export function parseDollars(typed: string): number | null {
  const [, dollars, cents = ''] = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(typed.trim()) ?? []
  return dollars === undefined ? null : Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'))
}
