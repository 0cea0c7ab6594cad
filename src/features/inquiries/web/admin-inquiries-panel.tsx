import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { useListAddress } from '#web/ui/use-list-address.ts'
import { type AdminInquiry, exportInquiries, inquirySorts, inquiryStatus, listInquiries } from '../admin-contract.ts'
import { statusNames } from '../rules.ts'
import { inquiryColumns } from './admin-inquiry-columns.tsx'

const AdminInquiryDialog = lazy(() => import('./admin-inquiry-dialog.tsx').then((module) => ({ default: module.AdminInquiryDialog })))

const rules = { sorts: inquirySorts, statuses: inquiryStatus.options }
const anyStatus = 'all'
const tableId = 'admin-inquiries'

/** What visitors asked, for those who answer. */
export function AdminInquiriesPanel() {
  const list = useListAddress(rules)
  const inquiries = useQuery({ ...query(listInquiries, { query: list.query }), placeholderData: keepPreviousData })
  const [opened, setOpened] = useState<{ inquiry: AdminInquiry; button: HTMLElement; turn: number }>()
  const columns = useMemo(() => inquiryColumns((inquiry, button) => setOpened((before) => ({ inquiry, button, turn: (before?.turn ?? 0) + 1 }))), [])

  return (
    <>
      <DataTable
        id={tableId}
        label="Inquiries"
        noun="inquiries"
        columns={columns}
        list={list}
        result={inquiries}
        searchPlaceholder="Search name, email or message..."
        filters={
          <NativeSelect
            className="input-sm"
            aria-label="Status"
            value={list.status ?? anyStatus}
            onChange={({ target }) => list.set({ status: target.value === anyStatus ? undefined : target.value })}
          >
            <option value={anyStatus}>All inquiries</option>
            {rules.statuses.map((status) => (
              <option key={status} value={status}>
                {statusNames[status]}
              </option>
            ))}
          </NativeSelect>
        }
        exportHref={exportInquiries.path}
        empty="No inquiries yet. What visitors send from the contact form appears here."
      />
      <Suspense>
        {opened && (
          <AdminInquiryDialog
            key={opened.turn}
            opened={opened.inquiry}
            current={inquiries.data?.rows.find(({ id }) => id === opened.inquiry.id)}
            returnTo={() => (opened.button.isConnected ? opened.button : document.getElementById(tableId))}
          />
        )}
      </Suspense>
    </>
  )
}
