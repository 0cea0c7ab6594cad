import { lazy } from 'react'
import { Badge, type BadgeVariant } from '#web/ui/badge.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import { RowButton } from '#web/ui/table/row-button.tsx'
import type { ChannelMatch } from '../../admin-contract.ts'
import { matchHeadings } from '../../match-headings.ts'
import { type MatchState, matchStateNames } from '../../source-rules.ts'
import { AcceptSuggestion } from './accept-suggestion.tsx'
import { listingText } from './listing-text.ts'

const MatchDialog = lazy(() => import('./match-dialog.tsx').then((module) => ({ default: module.MatchDialog })))
const column = columnsFor<ChannelMatch>()
const looks: Record<MatchState, BadgeVariant> = {
  unmatched: 'outline',
  id: 'default',
  name: 'default',
  hand: 'secondary',
}

export const matchColumns = column.columns([
  column.accessor('name', {
    header: matchHeadings.name,
    enableHiding: false,
    enableSorting: true,
    meta: { block: 'title' },
    cell: ({ row }) => <Clipped wide text={row.original.name} className="font-semibold" />,
  }),
  column.accessor('matched', {
    header: matchHeadings.matched,
    cell: ({ row: { original: channel } }) => {
      const state = channel.matched ?? 'unmatched'
      return (
        <Badge variant={looks[state]} waiting={state === 'unmatched'}>
          {matchStateNames[state]}
        </Badge>
      )
    },
  }),
  column.accessor('listing', {
    header: matchHeadings.listing,
    cell: ({ row: { original: channel } }) => (
      <Clipped text={channel.listing ? listingText(channel.listing) : withoutListing(channel)} />
    ),
  }),
  column.accessor('shiftMinutes', {
    header: matchHeadings.shiftMinutes,
    cell: ({ row }) => (row.original.shiftMinutes === 0 ? '-' : `${row.original.shiftMinutes} min`),
  }),
  column.accessor('suggestion', {
    header: matchHeadings.suggestion,
    cell: ({ row: { original: channel } }) =>
      channel.suggestion ? <AcceptSuggestion channel={channel} suggestion={channel.suggestion} /> : '-',
  }),
  column.display({
    ...actionsColumn,
    cell: ({ row: { original: channel } }) => (
      <RowButton needs="guide.edit" row={channel} dialog={MatchDialog} describes={`the listings of ${channel.name}`}>
        Choose
      </RowButton>
    ),
  }),
])

const withoutListing = ({ matched, isFromPanel }: ChannelMatch): string =>
  isFromPanel ? 'From the panel' : matched ? 'None' : '-'
