import { Button } from '#web/ui/button.tsx'
import { columnsFor } from '#web/ui/data-table-features.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { AdminTrialRequest } from '../admin-contract.ts'
import { TrialFlags } from './trial-flags.tsx'

const column = columnsFor<AdminTrialRequest>()

/** `onOpen` also receives the button, so that the focus can return to it. */
export const trialColumns = (onOpen: (request: AdminTrialRequest, button: HTMLElement) => void) =>
  column.columns([
    column.display({
      id: 'user',
      header: 'User',
      enableHiding: false,
      meta: { block: 'title' },
      cell: ({ row: { original: request } }) => (
        <span className="cell-stack">
          <UserLink id={request.userId} username={request.user.username} />
          <span className="cell-clip cell-clip-wide font-normal text-fg-2" title={request.user.email}>
            {request.user.email}
          </span>
        </span>
      ),
    }),
    column.accessor('device', {
      header: 'Device',
      cell: ({ row }) => (
        <span className="cell-clip cell-clip-wide" title={row.original.device}>
          {row.original.device}
        </span>
      ),
    }),
    column.accessor('requestDate', { header: 'Date', enableSorting: true, cell: ({ row }) => <DateText value={row.original.requestDate} /> }),
    column.accessor('status', {
      header: 'Status',
      enableSorting: true,
      cell: ({ row: { original: request } }) => (
        <span className="inline-flex flex-wrap gap-1.5">
          <StatusBadge status={request.status} />
          <TrialFlags request={request} />
        </span>
      ),
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      enableHiding: false,
      meta: { block: 'actions' },
      cell: ({ row: { original: request } }) => (
        <Button variant={request.status === 'pending' ? 'ink' : 'soft'} size="sm" onClick={({ currentTarget }) => onOpen(request, currentTarget)}>
          View/Edit
          <span className="sr-only">
            {' '}
            request {request.id} of {request.user.username}
          </span>
        </Button>
      ),
    }),
  ])
