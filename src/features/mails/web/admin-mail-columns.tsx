import { Button } from '#web/ui/button.tsx'
import { columnsFor } from '#web/ui/data-table-features.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { MailRow } from '../contract.ts'

const column = columnsFor<MailRow>()

/** `onOpen` also receives the button, so that the focus can return to it. */
export const mailColumns = (onOpen: (mail: MailRow, button: HTMLElement) => void) =>
  column.columns([
    column.accessor('id', { header: 'ID', meta: { look: 'muted' }, cell: ({ row }) => <span className="num">{row.original.id}</span> }),
    column.accessor('recipient', {
      header: 'Recipient',
      enableHiding: false,
      meta: { block: 'title' },
      cell: ({ row: { original: mail } }) => (
        <span className="cell-clip cell-clip-wide" title={mail.username ? `${mail.recipient}, ${mail.username}` : mail.recipient}>
          {mail.recipient}
        </span>
      ),
    }),
    column.accessor('title', { header: 'Mail', cell: ({ row }) => row.original.title }),
    column.accessor('status', { header: 'Status', cell: ({ row }) => <StatusBadge status={row.original.status} /> }),
    column.accessor('attempts', { header: 'Attempts', meta: { align: 'end' }, cell: ({ row }) => <span className="num">{row.original.attempts}</span> }),
    column.accessor('createdAt', { header: 'Created', enableSorting: true, cell: ({ row }) => <DateText value={row.original.createdAt} look="minute" /> }),
    column.accessor('sentAt', { header: 'Sent', cell: ({ row }) => <DateText value={row.original.sentAt} look="minute" /> }),
    column.accessor('lastError', {
      header: 'Last Error',
      meta: { look: 'muted' },
      cell: ({ row: { original: mail } }) => (
        <span className="cell-clip" title={mail.lastError ?? undefined}>
          {mail.lastError ?? '-'}
        </span>
      ),
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      enableHiding: false,
      meta: { block: 'actions' },
      cell: ({ row: { original: mail } }) => (
        <Button variant="soft" size="sm" onClick={({ currentTarget }) => onOpen(mail, currentTarget)}>
          Open
          <span className="sr-only"> mail {mail.id}</span>
        </Button>
      ),
    }),
  ])
