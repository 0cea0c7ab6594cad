import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { exportInquiries, inquirySorts, inquiryStatus, listInquiries } from '../admin-contract.ts'
import { statusNames } from '../rules.ts'
import { inquiryColumns } from './admin-inquiry-columns.tsx'

const rules = { sorts: inquirySorts, statuses: inquiryStatus.options }

/** The inbox of visitors' inquiries. */
export function AdminInquiriesSection() {
  const list = useListAddress(rules)
  const inquiries = useQuery({ ...query(listInquiries, { query: list.query }), placeholderData: keepPreviousData })
  return (
    <DataTable
      id="admin-inquiries"
      label="Inquiries"
      noun="inquiries"
      columns={inquiryColumns}
      list={list}
      result={inquiries}
      searchPlaceholder="Search name, email or message..."
      filters={
        <FilterSelect
          label="Status"
          all="All inquiries"
          options={rules.statuses}
          nameOf={(status) => statusNames[status]}
          value={list.status}
          onChange={(status) => list.set({ status })}
        />
      }
      exportHref={exportInquiries.path}
      empty="No inquiries yet. Messages from the contact form appear here."
    />
  )
}
