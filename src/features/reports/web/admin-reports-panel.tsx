import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { useListAddress } from '#web/ui/use-list-address.ts'
import { type AdminReport, exportReports, listAllReports, reportSorts } from '../admin-contract.ts'
import { reportStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'
import { reportColumns } from './admin-report-columns.tsx'

const AdminReportDialog = lazy(() => import('./admin-report-dialog.tsx').then((module) => ({ default: module.AdminReportDialog })))
const AdminReportsDialog = lazy(() => import('./admin-reports-dialog.tsx').then((module) => ({ default: module.AdminReportsDialog })))

const rules = { sorts: reportSorts, statuses: reportStatus.options }
const anyStatus = 'all'
const tableId = 'admin-reports'
const mostAtOnce = 100

/** The Reports tab of the Admin Panel. */
export function AdminReportsPanel() {
  const list = useListAddress(rules)
  const reports = useQuery({ ...query(listAllReports, { query: list.query }), placeholderData: keepPreviousData })
  const [opened, setOpened] = useState<{ report: AdminReport; button: HTMLElement; turn: number }>()
  const columns = useMemo(() => reportColumns((report, button) => setOpened((before) => ({ report, button, turn: (before?.turn ?? 0) + 1 }))), [])

  const [selected, setSelected] = useState<readonly AdminReport[]>([])
  const [together, setTogether] = useState<{ reports: readonly AdminReport[]; button: HTMLElement; turn: number }>()
  const isTooMany = selected.length > mostAtOnce

  return (
    <>
      <DataTable
        id={tableId}
        label="Reports"
        noun="reports"
        columns={columns}
        list={list}
        result={reports}
        searchPlaceholder="Search content, user or #id..."
        filters={
          <NativeSelect
            className="input-sm"
            aria-label="Status"
            value={list.status ?? anyStatus}
            onChange={({ target }) => list.set({ status: target.value === anyStatus ? undefined : target.value })}
          >
            <option value={anyStatus}>All statuses</option>
            {rules.statuses.map((status) => (
              <option key={status} value={status}>
                {statusNames[status]}
              </option>
            ))}
          </NativeSelect>
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
              onClick={
                isTooMany
                  ? undefined
                  : ({ currentTarget }) => setTogether((before) => ({ reports: selected, button: currentTarget, turn: (before?.turn ?? 0) + 1 }))
              }
            >
              {isTooMany ? `At most ${mostAtOnce} at once` : 'Set status…'}
            </Button>
          ),
        }}
        exportHref={exportReports.path}
        empty="No reports submitted yet."
      />
      <Suspense>
        {opened && (
          <AdminReportDialog
            key={opened.turn}
            opened={opened.report}
            current={reports.data?.rows.find(({ id }) => id === opened.report.id)}
            // The row may be gone by then: a filter hides what was just resolved.
            returnTo={() => (opened.button.isConnected ? opened.button : document.getElementById(tableId))}
          />
        )}
        {together && (
          <AdminReportsDialog
            key={together.turn}
            reports={together.reports}
            onDone={() => setSelected([])}
            returnTo={() => (together.button.isConnected ? together.button : document.getElementById(tableId))}
          />
        )}
      </Suspense>
    </>
  )
}
