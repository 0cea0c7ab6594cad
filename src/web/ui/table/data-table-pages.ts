/** The number of the last page; an empty list has one page. */
export const lastPageOf = (total: number, pageSize: number): number => Math.max(1, Math.ceil(total / pageSize))

interface Range {
  page: number
  pageSize: number
  total: number
  /** `total` is only a minimum, since the exact count is not ready yet. */
  isMinimum?: boolean | undefined
  noun: string
}

/** `Showing 11 to 20 of 124 users`; an empty list shows 0 to 0. */
export function rangeText({ page, pageSize, total, isMinimum, noun }: Range): string {
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1
  return `Showing ${first} to ${Math.min(page * pageSize, total)} of ${isMinimum ? 'more than ' : ''}${total} ${noun}`
}

/** The page numbers to show: the first, the last, those around the current page, and gaps between them. */
export function pagesAround(page: number, last: number): (number | 'gap')[] {
  const near = new Set([1, last, page - 1, page, page + 1])
  // Three numbers at either end keep the width of the pager stable.
  if (page === 1) near.add(3)
  if (page === last) near.add(last - 2)
  const shown = [...near].filter((n) => n >= 1 && n <= last).sort((a, b) => a - b)
  return shown.flatMap((n, index) => {
    const before = shown[index - 1]
    if (before === undefined || n - before === 1) return [n]
    return n - before === 2 ? [n - 1, n] : ['gap' as const, n]
  })
}
