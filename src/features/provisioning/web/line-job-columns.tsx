import { lazy } from 'react'
import { Clipped } from '#web/ui/clipped.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { LineJob } from '../admin-contract.ts'
import { LineJobState } from './line-job-state.tsx'
import { causeNames } from './line-texts.ts'

const AdminLineDialog = lazy(() =>
  import('./line-job-dialog.tsx').then((module) => ({ default: module.LineJobDialog })),
)
const column = columnsFor<LineJob>()

export const lineColumns = column.columns([
  column.accessor('id', {
    header: 'ID',
    meta: { look: 'muted' },
    cell: ({ row }) => <span className="num">{row.original.id}</span>,
  }),
  column.accessor('username', {
    header: 'Customer',
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row: { original: job } }) =>
      job.userId === null ? 'No customer' : <UserLink id={job.userId} username={job.username ?? '-'} />,
  }),
  column.accessor('line', { header: 'Line', cell: ({ row }) => <Clipped text={row.original.line} /> }),
  column.accessor('cause', {
    header: 'Cause',
    cell: ({ row: { original: job } }) => (
      <span>
        {causeNames[job.cause]}
        {job.invoiceNumber && <span className="block text-sm text-fg-2">{job.invoiceNumber}</span>}
      </span>
    ),
  }),
  column.accessor('state', { header: 'State', cell: ({ row }) => <LineJobState job={row.original} /> }),
  column.accessor('attempts', {
    header: 'Attempts',
    cell: ({ row }) => <span className="num">{row.original.attempts}</span>,
  }),
  column.accessor('createdAt', {
    header: 'Created',
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.createdAt} look="minute" />,
  }),
  column.accessor('lastAnswer', {
    header: 'Last Message',
    meta: { look: 'muted' },
    cell: ({ row }) => <Clipped text={row.original.lastAnswer} />,
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: job } }) => (
      <RowButton needs="lines.edit" row={job} dialog={AdminLineDialog} describes={`job ${job.id}`}>
        Open
      </RowButton>
    ),
  }),
])
