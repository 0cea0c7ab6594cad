import { query } from '#web/data.ts'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { lineJobSorts, lineJobStatuses, listLineJobs } from '../admin-contract.ts'
import { stateNames } from '../rules.ts'
import { lineColumns } from './admin-line-columns.tsx'

const rules = { sorts: lineJobSorts, statuses: lineJobStatuses }
const names = { ...stateNames, tasks: 'Needs you' }

/** What was and has to be done about lines. */
export function AdminLinesPanel() {
  return (
    <AdminList
      id="admin-lines"
      label="Lines"
      noun="jobs"
      columns={lineColumns}
      rules={rules}
      load={(search) => query(listLineJobs, { query: search })}
      searchPlaceholder="Search customer, line, invoice or #id..."
      statusFilter={{ label: 'State', all: 'All states', nameOf: (status) => names[status] }}
      empty="Nothing yet. As soon as a payment is confirmed, this page says what becomes of the customer's line."
    />
  )
}
