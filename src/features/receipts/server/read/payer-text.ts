import { maskNumbers } from '#kit/untrusted-text.ts'

/** What a payer wrote, as data: without NUL, trimmed, at most 500 characters. Null if nothing is left. */
export function plainText(text: string | null | undefined): string | null {
  const cut = [...(text ?? '').toWellFormed().replaceAll('\0', '').trim()].slice(0, 500).join('')
  return cut.trim() || null
}

/** The same for a name or note, in which numbers of cards and accounts are masked. */
export const payerText = (text: string | null | undefined): string | null => plainText(maskNumbers(text ?? ''))
