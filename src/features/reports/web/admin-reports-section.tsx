import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { type AdminReport, exportReports, listAllReports, reportSorts } from '../admin-contract.ts'
import { reportStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'
import { reportColumns } from './admin-report-columns.tsx'

const AdminReportsDialog = lazy(() =>
  import('./admin-reports-dialog.tsx').then((module) => ({ default: module.AdminReportsDialog })),
)

const rules = { sorts: reportSorts, statuses: reportStatus.options }
const tableId = 'admin-reports'
const maxSelected = 100

/** The Reports tab of the Admin Panel. */
export function AdminReportsSection() {
  const list = useListAddress(rules)
  const reports = useQuery({ ...query(listAllReports, { query: list.query }), placeholderData: keepPreviousData })
  const [selected, setSelected] = useState<readonly AdminReport[]>([])
  const [bulkDialog, openBulkDialog] = useOpened<readonly AdminReport[]>(tableId)
  const isTooMany = selected.length > maxSelected

  return (
    <>
      <DataTable
        id={tableId}
        label="Reports"
        noun="reports"
        columns={reportColumns}
        list={list}
        result={reports}
        searchPlaceholder="Search content, user or #id..."
        filters={
          <FilterSelect
            label="Status"
            all="All statuses"
            options={rules.statuses}
            nameOf={(status) => statusNames[status]}
            value={list.status}
            onChange={(status) => list.set({ status })}
          />
        }
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
            key={bulkDialog.turn}
            reports={bulkDialog.about}
            onDone={() => setSelected([])}
            returnTo={bulkDialog.returnTo}
          />
        )}
      </Suspense>
    </>
  )
}
