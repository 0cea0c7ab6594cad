import type { PaymentFacts } from './types.ts'

/** Returns the words of a name without case and accents, sorted: `dube`, `renee`, `roy` for `Renée Dubé-Roy`. Single letters are left out. */
export function nameTokens(name: string | null): string[] {
  if (!name) return []
  const words = wordsOf(name.slice(0, 200))
  return [...new Set(words.filter((word) => word.length > 1))].sort()
}

function wordsOf(name: string): string[] {
  // A fast path: most names are ASCII, and reading a statement calls this thousands of times.
  if (/^[ -~]*$/.test(name)) return name.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns the number of words that two names have in common. */
export function commonTokens(one: string | null, other: string | null): number {
  const words = nameTokens(other)
  return nameTokens(one).filter((word) => words.includes(word)).length
}

/** Returns the key by which a payer is recognized on a rail: the handle, or the words of the name if there is no handle. Null if there is neither. */
export function payerKeyOf({ payerHandle, payerName }: Pick<PaymentFacts, 'payerHandle' | 'payerName'>): string | null {
  if (payerHandle) return payerHandle.normalize('NFKC').toLowerCase()
  return nameTokens(payerName).join(' ') || null
}
