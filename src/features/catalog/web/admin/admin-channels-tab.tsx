import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { markName } from '#kit/mark-logo.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { May } from '#web/ui/permission/may.tsx'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { type AdminChannel, channelSorts, listAllChannels, updateChannel } from '../../admin-contract.ts'
import { channelCategory, listChannels } from '../../contract.ts'
import { categoryName } from '../../rules.ts'
import { channelColumns } from './admin-channel-columns.tsx'
import { useToggleHidden } from './use-toggle-hidden.ts'

const AdminChannelDialog = lazy(() =>
  import('./admin-channel-dialog.tsx').then((module) => ({ default: module.AdminChannelDialog })),
)

const rules = { sorts: channelSorts, statuses: channelCategory.options }

/** The Channels tab of the catalog. */
export function AdminChannelsTab() {
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
      <AdminList
        id="admin-channels"
        label="Channels"
        noun="channels"
        columns={columns}
        rules={rules}
        load={(search) => query(listAllChannels, { query: search })}
        searchPlaceholder="Search by name..."
        statusFilter={{ label: 'Category', all: 'All categories', nameOf: categoryName }}
        filters={
          <May needs="catalog.edit">
            <Button id="entries-add" variant="ink" onClick={({ currentTarget }) => manage(null, currentTarget)}>
              <Plus size={18} /> Add Channel
            </Button>
          </May>
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
