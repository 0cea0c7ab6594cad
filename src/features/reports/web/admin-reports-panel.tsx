import { lazy, Suspense, useState } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { useOpenDialog } from '#web/ui/use-open-dialog.ts'
import { type AdminReport, exportReports, listAllReports, reportSorts } from '../admin-contract.ts'
import { reportStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'
import { reportColumns } from './admin-report-columns.tsx'

const AdminReportsDialog = lazy(() =>
  import('./admin-reports-dialog.tsx').then((module) => ({ default: module.AdminReportsDialog })),
)

const rules = { sorts: reportSorts, statuses: reportStatus.options }
const tableId = 'admin-reports'
const mostAtOnce = 100

/** The Reports tab of the Admin Panel. */
export function AdminReportsPanel() {
  const [selected, setSelected] = useState<readonly AdminReport[]>([])
  const [together, openTogether] = useOpenDialog<readonly AdminReport[]>(tableId)
  const isTooMany = selected.length > mostAtOnce

  return (
    <>
      <AdminList
        id={tableId}
        label="Reports"
        noun="reports"
        columns={reportColumns}
        rules={rules}
        load={(search) => query(listAllReports, { query: search })}
        searchPlaceholder="Search content, user or #id..."
        statusFilter={{ label: 'Status', all: 'All statuses', nameOf: (status) => statusNames[status] }}
        selection={{
          selected,
          onChange: setSelected,
          nameOf: (report) => `report ${report.id}, ${report.contentName}`,
          actions: (
            <Button
              variant="line"
              size="sm"
              aria-disabled={isTooMany || undefined}
              onClick={isTooMany ? undefined : ({ currentTarget }) => openTogether(selected, currentTarget)}
            >
              {isTooMany ? `At most ${mostAtOnce} at once` : 'Set status…'}
            </Button>
          ),
        }}
        exportHref={exportReports.path}
        empty="No reports submitted yet."
      />
      <Suspense>
        {together && (
          <AdminReportsDialog
            key={together.openCount}
            reports={together.subject}
            onDone={() => setSelected([])}
            returnTo={together.returnTo}
          />
        )}
      </Suspense>
    </>
  )
}
