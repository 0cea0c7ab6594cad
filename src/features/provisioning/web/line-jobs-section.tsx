import { query } from '#web/data.ts'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { lineJobSorts, lineJobStatuses, listLineJobs } from '../admin-contract.ts'
import { lineColumns } from './line-job-columns.tsx'
import { stateNames } from './line-texts.ts'

const rules = { sorts: lineJobSorts, statuses: lineJobStatuses }
const statusNames = { ...stateNames, tasks: 'Needs you' }

/** The list of provisioning jobs. */
export function LineJobsSection() {
  return (
    <AdminList
      id="admin-lines"
      label="Lines"
      noun="jobs"
      columns={lineColumns}
      rules={rules}
      load={(search) => query(listLineJobs, { query: search })}
      searchPlaceholder="Search customer, line, invoice or #id..."
      statusFilter={{ label: 'State', all: 'All states', nameOf: (status) => statusNames[status] }}
      empty="No jobs yet. Each confirmed payment adds one here and shows its progress."
    />
  )
}
