import { query } from '#web/data.ts'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { listMails, mailSorts, mailStatus } from '../admin-contract.ts'
import { statusNames } from '../rules.ts'
import { mailColumns } from './admin-mail-columns.tsx'

const rules = { sorts: mailSorts, statuses: mailStatus.options }

/** The mail log: every email and its delivery status. */
export function AdminMailsSection() {
  return (
    <AdminList
      id="admin-mails"
      label="Emails"
      noun="emails"
      columns={mailColumns}
      rules={rules}
      load={(search) => query(listMails, { query: search })}
      searchPlaceholder="Search recipient, user, email or #id..."
      statusFilter={{ label: 'Status', all: 'All statuses', nameOf: (status) => statusNames[status] }}
      empty="No emails yet. They appear here when customers register, order or send a request."
    />
  )
}
