import { lazy } from 'react'
import { Badge, type BadgeVariant } from '#web/ui/badge.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { ChannelRight } from '../../admin-contract.ts'
import { rightHeadings } from '../../right-headings.ts'
import { type RightState, rightStateNames, territoryText } from '../../right-rules.ts'

const RightDialog = lazy(() => import('./right-dialog.tsx').then((module) => ({ default: module.RightDialog })))
const column = columnsFor<ChannelRight>()
const badgeVariants: Record<RightState, BadgeVariant> = {
  in_force: 'default',
  ending: 'outline',
  upcoming: 'neutral',
  lapsed: 'destructive',
}

export const rightColumns = column.columns([
  column.accessor('channelName', {
    header: rightHeadings.channelName,
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row }) => <Clipped wide text={row.original.channelName} className="font-semibold" />,
  }),
  column.accessor('licensor', {
    header: rightHeadings.licensor,
    enableSorting: true,
    cell: ({ row }) => <Clipped text={row.original.licensor} />,
  }),
  column.accessor('source', {
    header: rightHeadings.source,
    cell: ({ row }) => <Clipped text={row.original.source} />,
  }),
  column.accessor('territories', {
    header: rightHeadings.territories,
    cell: ({ row }) => <Clipped text={territoryText(row.original.territories)} />,
  }),
  column.accessor('validFrom', {
    header: rightHeadings.validFrom,
    cell: ({ row }) => <DateText value={row.original.validFrom} />,
  }),
  column.accessor('validUntil', {
    header: rightHeadings.validUntil,
    enableSorting: true,
    cell: ({ row }) => <DateText value={row.original.validUntil} />,
  }),
  column.accessor('document', {
    header: rightHeadings.document,
    cell: ({ row }) => <Clipped text={row.original.document} />,
  }),
  column.accessor('archiveHours', {
    header: rightHeadings.archiveHours,
    cell: ({ row }) => (row.original.archiveHours === 0 ? 'Live only' : row.original.archiveHours),
  }),
  column.accessor('state', {
    header: rightHeadings.state,
    cell: ({ row: { original: right } }) => (
      <Badge variant={badgeVariants[right.state]} waiting={right.state === 'ending'}>
        {rightStateNames[right.state]}
      </Badge>
    ),
  }),
  column.accessor('published', {
    header: rightHeadings.published,
    cell: ({ row }) => (row.original.published ? 'Published' : 'Not published'),
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: right } }) => (
      <RowButton needs="watching.edit" row={right} dialog={RightDialog} describes={`the right to ${right.channelName}`}>
        Edit
      </RowButton>
    ),
  }),
])
