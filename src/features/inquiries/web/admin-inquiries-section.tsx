import { query } from '#web/data.ts'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { exportInquiries, inquirySorts, inquiryStatus, listInquiries } from '../admin-contract.ts'
import { statusNames } from '../rules.ts'
import { inquiryColumns } from './admin-inquiry-columns.tsx'

const rules = { sorts: inquirySorts, statuses: inquiryStatus.options }

/** The inbox of visitors’ inquiries. */
export function AdminInquiriesSection() {
  return (
    <AdminList
      id="admin-inquiries"
      label="Inquiries"
      noun="inquiries"
      columns={inquiryColumns}
      rules={rules}
      load={(search) => query(listInquiries, { query: search })}
      searchPlaceholder="Search name, email or message..."
      statusFilter={{ label: 'Status', all: 'All inquiries', nameOf: (status) => statusNames[status] }}
      exportHref={exportInquiries.path}
      empty="No inquiries yet. Messages from the contact form appear here."
    />
  )
}
