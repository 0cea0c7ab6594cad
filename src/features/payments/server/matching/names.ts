import type { PaymentFacts } from './types.ts'

/** The words of a name without case, accents and order: `Renée Dubé-Roy` is `dube`, `renee`, `roy`. Single letters do not count. */
export function nameTokens(name: string | null): string[] {
  if (!name) return []
  const words = wordsOf(name.slice(0, 200))
  return [...new Set(words.filter((word) => word.length > 1))].sort()
}

function wordsOf(name: string): string[] {
  // Most names are ASCII, and a statement compares them thousands of times.
  if (/^[ -~]*$/.test(name)) return name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** How many words two names share. */
export function commonTokens(one: string | null, other: string | null): number {
  const words = nameTokens(other)
  return nameTokens(one).filter((word) => words.includes(word)).length
}

/** The key by which a payer is recognized on a rail: the handle, or the words of the name where there is none. Null without both. */
export function payerKeyOf({ payerHandle, payerName }: Pick<PaymentFacts, 'payerHandle' | 'payerName'>): string | null {
  if (payerHandle) return payerHandle.normalize('NFKC').toLowerCase()
  return nameTokens(payerName).join(' ') || null
}
