import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { roles } from './table-roles.ts'

interface Props {
  label: string
  align: 'end' | undefined
  sortable: boolean
  sorted: false | 'asc' | 'desc'
  onSort: () => void
  /** The heading of the actions column is for screen readers only. */
  block: 'title' | 'actions' | undefined
}

const marks = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown }
const ariaSort = { asc: 'ascending', desc: 'descending', none: 'none' } as const

export function DataTableHead({ label, align, sortable, sorted, onSort, block }: Props) {
  const state = sorted || 'none'
  const Mark = marks[state]
  return (
    <th
      {...roles.head}
      scope="col"
      className={align}
      data-block={block}
      aria-sort={sortable ? ariaSort[state] : undefined}
    >
      {sortable ? (
        <button type="button" onClick={onSort}>
          {label}
          <Mark size={14} />
        </button>
      ) : (
        <span className={block === 'actions' ? 'sr-only' : undefined}>{label}</span>
      )}
    </th>
  )
}
