/** Returns the change from `before` to `today` as a percentage, with one decimal below ten; undefined if `before` is not positive or nothing changed. */
export function changeOf(today: number, before: number): { isUp: boolean; percent: string } | undefined {
  if (before <= 0 || today === before) return undefined
  const percent = (Math.abs(today - before) / before) * 100
  return { isUp: today > before, percent: `${percent < 9.95 ? percent.toFixed(1) : Math.round(percent)}%` }
}
