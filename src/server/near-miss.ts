/** The name that `given` was probably meant to be: the same but for case and separators, or at most two typing errors away. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const plain = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const same = known.find((name) => plain(name) === plain(given))
  if (same) return same
  // In a short name two errors leave too little of it.
  return known.find((name) => typingErrors(given.toUpperCase(), name) <= (name.length > 6 ? 2 : 1))
}

/** How many letters were added, left out, replaced or swapped with their neighbor. */
function typingErrors(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? rows[i - 2]![j - 2]! + 1
          : Number.POSITIVE_INFINITY
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost, swapped))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
