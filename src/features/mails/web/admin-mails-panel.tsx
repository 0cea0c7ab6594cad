import { query } from '#web/data.ts'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { listMails, mailSorts, mailStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'
import { mailColumns } from './admin-mail-columns.tsx'

const rules = { sorts: mailSorts, statuses: mailStatus.options }

/** The mail log: every mail the product wrote, and what became of it. */
export function AdminMailsPanel() {
  return (
    <AdminList
      id="admin-mails"
      label="Mails"
      noun="mails"
      columns={mailColumns}
      rules={rules}
      load={(search) => query(listMails, { query: search })}
      searchPlaceholder="Search recipient, user, mail or #id..."
      statusFilter={{ label: 'Status', all: 'All statuses', nameOf: (status) => statusNames[status] }}
      empty="No mails yet. They appear here as soon as somebody registers, orders or asks for something."
    />
  )
}
