import { useId } from 'react'
import { NativeSelect } from '../form/native-select.tsx'
import { Spinner } from '../spinner.tsx'
import { DataTablePager } from './data-table-pager.tsx'
import { lastPageOf, rangeText } from './data-table-pages.ts'
import { pageSizes } from './list-address.ts'

interface Props {
  noun: string
  page: number
  pageSize: number
  /** Undefined until the first response. */
  total: number | undefined
  isMinimum: boolean | undefined
  loading: boolean
  /** The total changes often, so it is not announced. */
  quiet: boolean | undefined
  onPage: (page: number) => void
  onPageSize: (pageSize: number) => void
}

export function DataTableFoot({ noun, page, pageSize, total, isMinimum, loading, quiet, onPage, onPageSize }: Props) {
  const sizeId = useId()
  return (
    <div className="table-foot">
      <p className="num" aria-live={quiet ? 'off' : 'polite'}>
        {total !== undefined ? (
          rangeText({ page: Math.min(page, lastPageOf(total, pageSize)), pageSize, total, isMinimum, noun })
        ) : loading ? (
          <span className="inline-flex items-center gap-2">
            <Spinner /> Loading {noun}…
          </span>
        ) : null}
      </p>
      <div className="table-size">
        <label htmlFor={sizeId}>Rows per page</label>
        <NativeSelect
          id={sizeId}
          className="input-sm"
          value={pageSize}
          onChange={({ target }) => onPageSize(Number(target.value))}
        >
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </NativeSelect>
      </div>
      {total !== undefined && (
        <DataTablePager
          noun={noun}
          page={page}
          last={Math.max(isMinimum ? page : 1, lastPageOf(total, pageSize))}
          onPage={onPage}
        />
      )}
    </div>
  )
}
