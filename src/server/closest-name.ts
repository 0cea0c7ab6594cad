/** Returns the known name that `name` is probably a typo of: the same except for case and separators, or at most two edits away. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const same = known.find((candidate) => plain(candidate) === plain(name))
  if (same) return same
  // Short names may differ in only one edit, because two edits would match too many of them.
  return known.find((candidate) => editDistance(name.toUpperCase(), candidate) <= (candidate.length > 6 ? 2 : 1))
}

/** Returns how many letters must be added, omitted, replaced or swapped with their neighbor to get from `a` to `b`. */
function editDistance(a: string, b: string): number {
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
