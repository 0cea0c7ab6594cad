import { ChannelLogo } from '#web/brand/channel-logo.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { actionsColumn, columnsFor } from '#web/ui/table/data-table-features.ts'
import type { AdminChannel } from '../../admin-contract.ts'
import { categoryName, previewKind } from '../../rules.ts'

const column = columnsFor<AdminChannel>()
const kinds = { stream: 'Stream', video: 'Video', picture: 'Image' }

type Actions = {
  pending: number | undefined
  onEdit: (channel: AdminChannel, button: HTMLElement) => void
  onHide: (channel: AdminChannel) => void
}
/** The columns of the channel list. `onEdit` gets the button, so that the focus can return to it. */
export const channelColumns = ({ pending, onEdit, onHide }: Actions) =>
  column.columns([
    column.accessor('name', {
      header: 'Name',
      enableSorting: true,
      enableHiding: false,
      meta: { block: 'title' },
      cell: ({ row: { original: channel } }) => (
        <span className="cell-who">
          <span className="w-10 flex-none">
            <ChannelLogo logo={channel.logo} />
          </span>
          <Clipped wide text={channel.name} />
        </span>
      ),
    }),
    column.accessor('category', {
      header: 'Category',
      enableSorting: true,
      cell: ({ row }) => categoryName(row.original.category),
    }),
    column.accessor('previewUrl', {
      header: 'Preview',
      meta: { look: 'muted' },
      cell: ({ row }) => {
        const kind = previewKind(row.original.previewUrl)
        return kind ? kinds[kind] : '-'
      },
    }),
    column.accessor('featured', {
      header: 'Featured',
      cell: ({ row }) => (row.original.featured ? <Badge variant="secondary">Featured</Badge> : '-'),
    }),
    column.accessor('hidden', {
      header: 'Lineup',
      cell: ({ row }) =>
        row.original.hidden ? <Badge variant="outline">Hidden</Badge> : <Badge variant="default">Shown</Badge>,
    }),
    column.display({
      ...actionsColumn,
      cell: ({ row: { original: channel } }) => (
        <May needs="catalog.edit">
          <Button variant="ghost" size="sm" pending={pending === channel.id} onClick={() => onHide(channel)}>
            {channel.hidden ? 'Show' : 'Hide'}
            <span className="sr-only"> {channel.name}</span>
          </Button>
          <Button variant="soft" size="sm" onClick={({ currentTarget }) => onEdit(channel, currentTarget)}>
            Edit
            <span className="sr-only"> {channel.name}</span>
          </Button>
        </May>
      ),
    }),
  ])
