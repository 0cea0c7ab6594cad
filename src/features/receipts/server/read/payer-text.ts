import { maskNumbers } from '#kit/untrusted-text.ts'

/** Returns text that a payer wrote in a form that can be stored: without NUL, trimmed, at most 500 characters. Null if nothing is left. */
export function plainText(text: string | null | undefined): string | null {
  const cut = [...(text ?? '').toWellFormed().replaceAll('\0', '').trim()].slice(0, 500).join('')
  return cut.trim() || null
}

/** Like `plainText`, for a name or note: card and account numbers are masked. */
export const payerText = (text: string | null | undefined): string | null => plainText(maskNumbers(text ?? ''))
