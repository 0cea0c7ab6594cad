import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterSelect } from '#web/ui/table/filter-select.tsx'
import { useListAddress } from '#web/ui/table/use-list-address.ts'
import { useOpenDialog } from '#web/ui/use-open-dialog.ts'
import {
  type AdminChannel,
  channelCategory,
  channelSorts,
  listAllChannels,
  listChannels,
  updateChannel,
} from '../contract.ts'
import { categoryName, markName } from '../rules.ts'
import { channelColumns } from './admin-channel-columns.tsx'
import { useToggleHidden } from './use-toggle-hidden.ts'

const AdminChannelDialog = lazy(() =>
  import('./admin-channel-dialog.tsx').then((module) => ({ default: module.AdminChannelDialog })),
)

const rules = { sorts: channelSorts, statuses: channelCategory.options }

/** The Channels tab of the catalog. */
export function AdminChannelsTab() {
  const list = useListAddress(rules)
  const channels = useQuery({ ...query(listAllChannels, { query: list.query }), placeholderData: keepPreviousData })
  const [managed, manage] = useOpenDialog<AdminChannel | null>('admin-channels')
  const update = useSend(updateChannel, [listAllChannels, listChannels])
  const hiding = useToggleHidden(
    'Channel',
    ({ id, version, name, category, logo, previewUrl, featured, hidden }: AdminChannel) => ({
      name,
      send: () =>
        update.mutateAsync({
          params: { channelId: id },
          body: {
            version,
            name,
            category,
            logo: markName(logo) === null ? logo : '',
            previewUrl: previewUrl ?? '',
            featured,
            hidden: !hidden,
          },
        }),
    }),
  )
  const { pending, toggle } = hiding
  // biome-ignore lint/correctness/useExhaustiveDependencies: both are new functions in every render with the same behavior
  const columns = useMemo(
    () => channelColumns({ pending, onEdit: manage, onHide: (channel) => void toggle(channel) }),
    [pending],
  )

  return (
    <>
      <DataTable
        id="admin-channels"
        label="Channels"
        noun="channels"
        columns={columns}
        list={list}
        result={channels}
        searchPlaceholder="Search by name..."
        filters={
          <>
            <FilterSelect
              label="Category"
              all="All categories"
              options={rules.statuses}
              nameOf={categoryName}
              value={list.status}
              onChange={(category) => list.set({ status: category })}
            />
            <Button id="entries-add" variant="ink" onClick={({ currentTarget }) => manage(null, currentTarget)}>
              <Plus size={18} /> Add Channel
            </Button>
          </>
        }
        empty="No channels yet."
      />
      <Suspense>
        {managed && (
          <AdminChannelDialog key={managed.openCount} channel={managed.subject} returnTo={managed.returnTo} />
        )}
      </Suspense>
    </>
  )
}
