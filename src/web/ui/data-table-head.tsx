import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { roles } from './data-table-roles.ts'

interface Props {
  label: string
  align: 'end' | undefined
  sortable: boolean
  sorted: false | 'asc' | 'desc'
  onSort: () => void
  /** Spoken only: the column of buttons. */
  silent: boolean
}

const marks = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown }
const spoken = { asc: 'ascending', desc: 'descending', none: 'none' } as const

export function DataTableHead({ label, align, sortable, sorted, onSort, silent }: Props) {
  const state = sorted || 'none'
  const Mark = marks[state]
  return (
    <th {...roles.head} scope="col" className={align} aria-sort={sortable ? spoken[state] : undefined}>
      {sortable ? (
        <button type="button" onClick={onSort}>
          {label}
          <Mark size={14} />
        </button>
      ) : (
        <span className={silent ? 'sr-only' : undefined}>{label}</span>
      )}
    </th>
  )
}
