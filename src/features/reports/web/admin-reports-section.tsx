import { lazy, Suspense, useState } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { type AdminReport, exportReports, listAllReports, reportSorts } from '../admin-contract.ts'
import { reportStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'
import { AdminCasesSection } from './admin-cases-section.tsx'
import { reportColumns } from './admin-report-columns.tsx'

const AdminReportsDialog = lazy(() =>
  import('./admin-reports-dialog.tsx').then((module) => ({ default: module.AdminReportsDialog })),
)

const rules = { sorts: reportSorts, statuses: reportStatus.options }
const tableId = 'admin-reports'
const maxSelected = 100

/** The Reports tab of the Admin Panel. */
export function AdminReportsSection() {
  const [selected, setSelected] = useState<readonly AdminReport[]>([])
  const [bulkDialog, openBulkDialog] = useOpenDialog<readonly AdminReport[]>(tableId)
  const isTooMany = selected.length > maxSelected

  return (
    <>
      <AdminCasesSection />
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
              onClick={isTooMany ? undefined : ({ currentTarget }) => openBulkDialog(selected, currentTarget)}
            >
              {isTooMany ? `Select at most ${maxSelected}` : 'Set status…'}
            </Button>
          ),
        }}
        exportHref={exportReports.path}
        empty="No reports submitted yet."
      />
      <Suspense>
        {bulkDialog && (
          <AdminReportsDialog
            key={bulkDialog.openCount}
            reports={bulkDialog.subject}
            onDone={() => setSelected([])}
            returnTo={bulkDialog.returnTo}
          />
        )}
      </Suspense>
    </>
  )
}
