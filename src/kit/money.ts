/** `1234` cents as `$12.34`; negative amounts have the sign before the dollar sign: `-$12.34`. */
export function formatCents(cents: number): string {
  const absolute = Math.abs(cents)
  const dollars = Math.floor(absolute / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0 ? '-' : ''}$${dollars}.${String(absolute % 100).padStart(2, '0')}`
}

/** Like `formatCents`, with a plus sign before positive amounts: `+$2.50`. */
export const formatSignedCents = (cents: number): string => (cents > 0 ? `+${formatCents(cents)}` : formatCents(cents))

/** Cents as a plain number of dollars: `3149` is `31.49`, without sign, currency or thousands separators. */
export const plainDollars = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** `percent` of an amount in cents, rounded half up. */
export const percentOf = (cents: number, percent: number): number => roundedRatio(cents, percent, 100)

/** `cents * numerator / denominator`, rounded half up (toward positive infinity). Exact for every safe integer. */
export function roundedRatio(cents: number, numerator: number, denominator: number): number {
  const doubled = 2n * BigInt(cents) * BigInt(numerator) + BigInt(denominator)
  const divisor = 2n * BigInt(denominator)
  const quotient = doubled / divisor
  return Number(doubled % divisor < 0n ? quotient - 1n : quotient)
}
