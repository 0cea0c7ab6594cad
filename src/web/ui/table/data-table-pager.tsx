import { pagesAround } from './data-table-pages.ts'

interface Props {
  /** The rows in the plural, for the accessible name: "users". */
  noun: string
  page: number
  last: number
  onPage: (page: number) => void
}

/** Previous, page numbers and next. Not rendered for a single page. */
export function DataTablePager({ noun, page, last, onPage }: Props) {
  if (last <= 1) return null
  const step = (label: string, to: number) => {
    const away = to < 1 || to > last
    // Not `disabled`: a disabled button would lose the focus.
    return (
      <button type="button" aria-disabled={away || undefined} onClick={away ? undefined : () => onPage(to)}>
        {label}
        <span className="sr-only"> page</span>
      </button>
    )
  }
  let gaps = 0
  return (
    <nav className="pager num" aria-label={`Pages of ${noun}`}>
      {step('Previous', page - 1)}
      {pagesAround(page, last).map((n) =>
        n === 'gap' ? (
          <span key={`gap-${gaps++}`} aria-hidden="true">
            …
          </span>
        ) : (
          <button key={n} type="button" aria-current={n === page ? 'page' : undefined} onClick={() => onPage(n)}>
            <span className="sr-only">Page </span>
            {n}
          </button>
        ),
      )}
      {step('Next', page + 1)}
    </nav>
  )
}
