import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { lineJobSorts, lineJobStatuses, listLineJobs } from '../admin-contract.ts'
import { lineColumns } from './line-job-columns.tsx'
import { stateNames } from './line-texts.ts'

const rules = { sorts: lineJobSorts, statuses: lineJobStatuses }
const statusNames = { ...stateNames, tasks: 'Needs you' }

/** The list of provisioning jobs. */
export function LineJobsSection() {
  const list = useListAddress(rules)
  const jobs = useQuery({ ...query(listLineJobs, { query: list.query }), placeholderData: keepPreviousData })
  return (
    <DataTable
      id="admin-lines"
      label="Lines"
      noun="jobs"
      columns={lineColumns}
      list={list}
      result={jobs}
      searchPlaceholder="Search customer, line, invoice or #id..."
      filters={
        <FilterSelect
          label="State"
          all="All states"
          options={rules.statuses}
          nameOf={(status) => statusNames[status]}
          value={list.status}
          onChange={(status) => list.set({ status })}
        />
      }
      empty="No jobs yet. Each confirmed payment adds one here and shows its progress."
    />
  )
}
