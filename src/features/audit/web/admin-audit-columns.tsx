import { Button } from '#web/ui/button.tsx'
import { columnsFor } from '#web/ui/data-table-features.ts'
import { DateText } from '#web/ui/date-text.tsx'
import type { AuditEntry } from '../admin-contract.ts'
import { actionText, differencesOf, valueText } from '../rules.ts'
import { AuditTarget } from './audit-target.tsx'

const column = columnsFor<AuditEntry>()

/** `onOpen` also receives the button, so that the focus can return to it. */
export const auditColumns = (onOpen: (entry: AuditEntry, button: HTMLElement) => void) =>
  column.columns([
    column.accessor('at', { header: 'When', enableSorting: true, cell: ({ row }) => <DateText value={row.original.at} look="minute" /> }),
    column.display({
      id: 'actor',
      header: 'Who',
      cell: ({ row }) => <span className="cell-clip">{row.original.actor?.username ?? 'System'}</span>,
    }),
    column.accessor('action', {
      header: 'Action',
      enableHiding: false,
      meta: { block: 'title' },
      cell: ({ row }) => <span title={row.original.action}>{actionText(row.original.action)}</span>,
    }),
    column.accessor('targetType', { header: 'Target', cell: ({ row }) => <AuditTarget entry={row.original} /> }),
    column.display({
      id: 'changes',
      header: 'Changes',
      meta: { look: 'muted' },
      cell: ({ row }) => <span className="cell-clip cell-clip-wide">{summaryOf(row.original)}</span>,
    }),
    column.accessor('requestId', {
      header: 'Request ID',
      meta: { look: 'muted' },
      cell: ({ row }) => (
        <span className="cell-clip num" title={row.original.requestId ?? undefined}>
          {row.original.requestId ?? '-'}
        </span>
      ),
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      enableHiding: false,
      meta: { block: 'actions' },
      cell: ({ row: { original: entry } }) => (
        <Button variant="soft" size="sm" onClick={({ currentTarget }) => onOpen(entry, currentTarget)}>
          Details
          <span className="sr-only"> of entry {entry.id}</span>
        </Button>
      ),
    }),
  ])

function summaryOf(entry: AuditEntry): string {
  const [first, ...more] = differencesOf(entry)
  if (!first) return '-'
  const short = (value: unknown) => valueText(value).slice(0, 60)
  return `${first.field}: ${short(first.before)} → ${short(first.after)}${more.length > 0 ? `, ${more.length} more` : ''}`
}
