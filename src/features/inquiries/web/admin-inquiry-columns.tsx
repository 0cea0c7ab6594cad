import { lazy } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AdminInquiry } from '../admin-contract.ts'
import { inquiryHeadings } from '../inquiry-headings.ts'

const AdminInquiryDialog = lazy(() =>
  import('./admin-inquiry-dialog.tsx').then((module) => ({ default: module.AdminInquiryDialog })),
)
const column = columnsFor<AdminInquiry>()
const firstLine = (message: string) => message.split('\n', 1)[0]?.slice(0, 200) ?? ''

export const inquiryColumns = column.columns([
  column.accessor('name', {
    header: 'From',
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row: { original: inquiry } }) => (
      <span className="cell-stack">
        <Clipped wide text={inquiry.name} className="font-semibold" />
        <Clipped wide text={inquiry.email} className="font-normal text-fg-2" />
      </span>
    ),
  }),
  column.accessor('message', {
    header: inquiryHeadings.message,
    cell: ({ row }) => <Clipped wide text={firstLine(row.original.message)} />,
  }),
  column.accessor('planName', {
    header: inquiryHeadings.planName,
    cell: ({ row }) => <Clipped text={row.original.planName} />,
  }),
  column.accessor('newsletterOpt', {
    header: inquiryHeadings.newsletterOpt,
    cell: ({ row }) => (row.original.newsletterOpt ? <Badge variant="secondary">Yes</Badge> : 'No'),
  }),
  column.accessor('status', {
    header: inquiryHeadings.status,
    enableSorting: true,
    cell: ({ row }) => <StatusBadge status={row.original.status} />,
  }),
  column.accessor('createdAt', {
    header: inquiryHeadings.createdAt,
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.createdAt} />,
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: inquiry } }) => (
      <RowButton
        needs="inquiries.edit"
        row={inquiry}
        dialog={AdminInquiryDialog}
        describes={`inquiry ${inquiry.id} from ${inquiry.name}`}
        urgent={inquiry.status === 'open'}
      >
        {inquiry.status === 'open' ? 'Answer' : 'View'}
      </RowButton>
    ),
  }),
])
