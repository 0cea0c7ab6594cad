import { NativeSelect } from '../form/native-select.tsx'

interface Props {
  columns: readonly { id: string; label: string }[]
  sort: string | undefined
  order: 'asc' | 'desc' | undefined
  onSort: (sort: string | undefined, order: 'asc' | 'desc' | undefined) => void
}

const unsorted = 'default'

/** The sort order as a select, for the narrow layout without a header row. */
export function DataTableSort({ columns, sort, order, onSort }: Props) {
  return (
    <span className="table-sort">
      <NativeSelect
        className="input-sm"
        aria-label="Sort by"
        value={sort ? `${sort} ${order}` : unsorted}
        onChange={({ target }) => {
          const [id, direction] = target.value === unsorted ? [] : target.value.split(' ')
          onSort(id, id === undefined ? undefined : direction === 'desc' ? 'desc' : 'asc')
        }}
      >
        <option value={unsorted}>Newest first</option>
        {columns.flatMap(({ id, label }) => [
          <option key={`${id} asc`} value={`${id} asc`}>
            {label}, ascending
          </option>,
          <option key={`${id} desc`} value={`${id} desc`}>
            {label}, descending
          </option>,
        ])}
      </NativeSelect>
    </span>
  )
}
