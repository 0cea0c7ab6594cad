import { lazy } from 'react'
import { Clipped } from '#web/ui/clipped.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AuditEntry } from '../admin-contract.ts'
import { auditHeadings } from '../audit-headings.ts'
import { actionText, actorWithKey, differencesOf, valueText } from '../rules.ts'
import { AuditTarget } from './audit-target.tsx'

const AdminAuditDialog = lazy(() =>
  import('./admin-audit-dialog.tsx').then((module) => ({ default: module.AdminAuditDialog })),
)
const column = columnsFor<AuditEntry>()

export const auditColumns = column.columns([
  column.accessor('at', {
    header: auditHeadings.at,
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.at} look="minute" />,
  }),
  column.display({
    id: 'actor',
    header: auditHeadings.actor,
    cell: ({ row }) => <Clipped text={actorWithKey(row.original)} />,
  }),
  column.accessor('action', {
    header: auditHeadings.action,
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row }) => <span title={row.original.action}>{actionText(row.original.action)}</span>,
  }),
  column.accessor('targetType', {
    header: auditHeadings.targetLabel,
    cell: ({ row }) => <AuditTarget entry={row.original} />,
  }),
  column.display({
    id: 'changes',
    header: 'Changes',
    meta: { look: 'muted' },
    cell: ({ row }) => <Clipped wide text={summaryOf(row.original)} />,
  }),
  column.accessor('requestId', {
    header: auditHeadings.requestId,
    meta: { look: 'muted' },
    cell: ({ row }) => <Clipped text={row.original.requestId} className="num" />,
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: entry } }) => (
      <RowButton row={entry} dialog={AdminAuditDialog} describes={`of entry ${entry.id}`}>
        Details
      </RowButton>
    ),
  }),
])

function summaryOf(entry: AuditEntry): string {
  const [first, ...more] = differencesOf(entry)
  if (!first) return '-'
  const short = (value: unknown) => valueText(value).slice(0, 60)
  return `${first.field}: ${short(first.before)} → ${short(first.after)}${more.length > 0 ? `, ${more.length} more` : ''}`
}
