import { lazy } from 'react'
import { Clipped } from '#web/ui/clipped.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { MailRow } from '../admin-contract.ts'

const AdminMailDialog = lazy(() =>
  import('./admin-mail-dialog.tsx').then((module) => ({ default: module.AdminMailDialog })),
)
const column = columnsFor<MailRow>()

export const mailColumns = column.columns([
  column.accessor('id', {
    header: 'ID',
    meta: { look: 'muted' },
    cell: ({ row }) => <span className="num">{row.original.id}</span>,
  }),
  column.accessor('recipient', {
    header: 'Recipient',
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row: { original: mail } }) => (
      <Clipped
        wide
        text={mail.recipient}
        title={mail.username ? `${mail.recipient}, ${mail.username}` : mail.recipient}
      />
    ),
  }),
  column.accessor('title', { header: 'Email', cell: ({ row }) => row.original.title }),
  column.accessor('status', { header: 'Status', cell: ({ row }) => <StatusBadge status={row.original.status} /> }),
  column.accessor('attempts', {
    header: 'Attempts',
    meta: { align: 'end' },
    cell: ({ row }) => <span className="num">{row.original.attempts}</span>,
  }),
  column.accessor('createdAt', {
    header: 'Created',
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.createdAt} look="minute" />,
  }),
  column.accessor('sentAt', {
    header: 'Sent',
    cell: ({ row }) => <DateText value={row.original.sentAt} look="minute" />,
  }),
  column.accessor('lastError', {
    header: 'Last Error',
    meta: { look: 'muted' },
    cell: ({ row: { original: mail } }) => <Clipped text={mail.lastError} />,
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: mail } }) => (
      <RowButton row={mail} dialog={AdminMailDialog} describes={`email ${mail.id}`}>
        Open
      </RowButton>
    ),
  }),
])
