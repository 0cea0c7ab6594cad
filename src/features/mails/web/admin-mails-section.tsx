import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { listMails, mailSorts, mailStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'
import { mailColumns } from './admin-mail-columns.tsx'

const rules = { sorts: mailSorts, statuses: mailStatus.options }

/** The mail log: every mail and its delivery status. */
export function AdminMailsSection() {
  const list = useListAddress(rules)
  const mails = useQuery({ ...query(listMails, { query: list.query }), placeholderData: keepPreviousData })
  return (
    <DataTable
      id="admin-mails"
      label="Emails"
      noun="emails"
      columns={mailColumns}
      list={list}
      result={mails}
      searchPlaceholder="Search recipient, user, email or #id..."
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
      empty="No emails yet. They appear here when customers register, order or send a request."
    />
  )
}
