import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { query } from '#web/data.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { useListAddress } from '#web/ui/use-list-address.ts'
import { listMails, type MailRow, mailSorts, mailStatus } from '../contract.ts'
import { statusNames } from '../rules.ts'
import { mailColumns } from './admin-mail-columns.tsx'

const AdminMailDialog = lazy(() => import('./admin-mail-dialog.tsx').then((module) => ({ default: module.AdminMailDialog })))

const rules = { sorts: mailSorts, statuses: mailStatus.options }
const anyStatus = 'all'
const tableId = 'admin-mails'

/** The mail log: every mail the product wrote, and what became of it. */
export function AdminMailsPanel() {
  const list = useListAddress(rules)
  const mails = useQuery({ ...query(listMails, { query: list.query }), placeholderData: keepPreviousData })
  const [opened, setOpened] = useState<{ mail: MailRow; button: HTMLElement; turn: number }>()
  const columns = useMemo(() => mailColumns((mail, button) => setOpened((before) => ({ mail, button, turn: (before?.turn ?? 0) + 1 }))), [])

  return (
    <>
      <DataTable
        id={tableId}
        label="Mails"
        noun="mails"
        columns={columns}
        list={list}
        result={mails}
        searchPlaceholder="Search recipient, user, mail or #id..."
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
        empty="No mails yet. They appear here as soon as somebody registers, orders or asks for something."
      />
      <Suspense>
        {opened && (
          <AdminMailDialog
            key={opened.turn}
            mail={opened.mail}
            // The row may be gone by then: a filter hides what was just sent again.
            returnTo={() => (opened.button.isConnected ? opened.button : document.getElementById(tableId))}
          />
        )}
      </Suspense>
    </>
  )
}
