import { lazy } from 'react'
import { Clipped } from '#web/ui/clipped.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { AdminTrialRequest } from '../admin-contract.ts'
import { trialHeadings } from '../trial-headings.ts'
import { TrialFlags } from './trial-flags.tsx'

const dialogFor = (decision?: 'approved' | 'denied') =>
  lazy(async () => {
    const { AdminTrialDialog } = await import('./admin-trial-dialog.tsx')
    return {
      default: (props: RowDialogProps<AdminTrialRequest>) => <AdminTrialDialog {...props} decision={decision} />,
    }
  })
const [EditDialog, ApproveDialog, DenyDialog] = [dialogFor(), dialogFor('approved'), dialogFor('denied')]
const column = columnsFor<AdminTrialRequest>()

export const trialColumns = column.columns([
  column.display({
    id: 'user',
    header: trialHeadings.user,
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row: { original: request } }) => (
      <span className="cell-stack">
        <UserLink id={request.userId} username={request.user.username} />
        <Clipped wide text={request.user.email} className="font-normal text-fg-2" />
      </span>
    ),
  }),
  column.accessor('device', {
    header: trialHeadings.device,
    cell: ({ row }) => <Clipped wide text={row.original.device} />,
  }),
  column.accessor('requestDate', {
    header: trialHeadings.requestDate,
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.requestDate} />,
  }),
  column.accessor('status', {
    header: trialHeadings.status,
    enableSorting: true,
    cell: ({ row: { original: request } }) => (
      <span className="inline-flex flex-wrap gap-1.5">
        <StatusBadge status={request.status} />
        <TrialFlags request={request} />
      </span>
    ),
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: request } }) => <TrialActions request={request} />,
  }),
])

/** The decisions about a pending request, and its dialog. */
function TrialActions({ request }: { request: AdminTrialRequest }) {
  const row = {
    needs: 'trials.decide' as const,
    row: request,
    describes: `request ${request.id} of ${request.user.username}`,
  }
  return (
    <span className="cell-actions">
      {request.status === 'pending' && (
        <>
          <RowButton {...row} dialog={ApproveDialog} action="approve" urgent>
            Approve
          </RowButton>
          <RowButton {...row} dialog={DenyDialog} action="deny">
            Deny
          </RowButton>
        </>
      )}
      <RowButton {...row} dialog={EditDialog}>
        View/Edit
      </RowButton>
    </span>
  )
}
