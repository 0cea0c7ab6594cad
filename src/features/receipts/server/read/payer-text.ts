/** What a payer wrote, as data: without NUL, trimmed, at most 500 characters. Null if nothing is left. */
export function payerText(text: string | null | undefined): string | null {
  const cut = [...(text ?? '').toWellFormed().replaceAll('\0', '').trim()].slice(0, 500).join('')
  return cut.trim() || null
}
