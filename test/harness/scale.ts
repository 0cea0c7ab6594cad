/** Whether proofs run at full size (`npm run proof`) or in their short form (`npm test`). */
export const isFullSize = process.env.TEST_SIZE === 'full'

/**
 * How often a proof repeats: the number in the environment variable `name` (`npm run torture` sets it), else `full` under `npm run proof`
 * and `short` everywhere else. Files in `test/proof/full-size/` need no `short`.
 */
export function roundCount(name: string, { short, full }: { short?: number; full: number }): number {
  const value = process.env[name]
  if (value) return Number(value)
  return isFullSize || short === undefined ? full : short
}

/** Returns all cases at full size, else every `nth` case. */
export function sampled<T>(cases: readonly T[], nth: number): T[] {
  return cases.filter((_, index) => isFullSize || index % nth === 0)
}

/**
 * All variants at full size. Otherwise one in `share` of them for the case with the number `index`, so that consecutive cases together
 * try every variant.
 */
export function variantsOfCase<T>(variants: readonly T[], share: number, index: number): T[] {
  return variants.filter((_, at) => isFullSize || at % share === index % share)
}
