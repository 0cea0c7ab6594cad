import { useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { Input } from '#web/ui/form/input.tsx'
import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import { listAuditWords } from '../admin-contract.ts'
import { actionText, humanize } from '../rules.ts'

interface Filters {
  action?: string | undefined
  targetType?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Filters by action, target type and date. */
export function AdminAuditFilters({ values, onChange }: { values: Filters; onChange: (change: Filters) => void }) {
  const { data: words } = useQuery({ ...query(listAuditWords), refetchOnMount: 'always' })
  const selects = [
    { name: 'action', label: 'Action', all: 'All actions', options: words?.actions, text: actionText },
    { name: 'targetType', label: 'Target', all: 'All targets', options: words?.targetTypes, text: humanize },
  ] as const
  const days = [
    { name: 'from', label: 'From' },
    { name: 'to', label: 'To' },
  ] as const
  return (
    <>
      {selects.map(({ name, label, all, options = [], text }) => {
        const value = values[name]
        return (
          <FilterSelect
            key={name}
            label={label}
            all={all}
            options={[...new Set([...options, ...(value ? [value] : [])])]}
            nameOf={text}
            value={value}
            onChange={(chosen) => onChange({ [name]: chosen })}
          />
        )
      })}
      {days.map(({ name, label }) => (
        <span key={name} className="table-day">
          <label htmlFor={`audit-${name}`}>{label}</label>
          <Input
            id={`audit-${name}`}
            type="date"
            className="input-sm"
            min="2000-01-01"
            max="2100-12-31"
            value={values[name] ?? ''}
            onChange={({ target }) => onChange({ [name]: target.value || undefined })}
          />
        </span>
      ))}
    </>
  )
}
