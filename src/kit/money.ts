/** Formats cents as a plain number of dollars: `3149` is `31.49`, without sign, currency or thousands separators. */
export const plainDollars = (cents: number): string => (cents / 100).toFixed(2)

/** Formats cents as dollars: `123450` is `$1,234.50`; negative amounts have the sign before the dollar sign: `-$12.34`. */
export const formatCents = (cents: number): string =>
  `${cents < 0 ? '-' : ''}$${plainDollars(Math.abs(cents)).replace(/\B(?=(\d{3})+\.)/g, ',')}`

/** Like `formatCents`, with a plus sign before positive amounts: `+$2.50`. */
export const formatSignedCents = (cents: number): string => (cents > 0 ? `+${formatCents(cents)}` : formatCents(cents))

/** Returns `percent` percent of an amount in cents, rounded half up. */
export const percentOf = (cents: number, percent: number): number => roundedRatio(cents, percent, 100)

/** `cents * numerator / denominator`, rounded half up (toward positive infinity). Exact for every safe integer. */
export function roundedRatio(cents: number, numerator: number, denominator: number): number {
  const doubled = 2n * BigInt(cents) * BigInt(numerator) + BigInt(denominator)
  const divisor = 2n * BigInt(denominator)
  const quotient = doubled / divisor
  return Number(doubled % divisor < 0n ? quotient - 1n : quotient)
}
