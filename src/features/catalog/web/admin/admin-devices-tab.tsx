import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { query, useSend } from '#web/data.ts'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import {
  type AdminDeviceCategory,
  listAllDeviceCategories,
  moveDeviceCategory,
  updateDeviceCategory,
} from '../../admin-contract.ts'
import { listDeviceCategories } from '../../contract.ts'
import { deviceIconOf } from '../../rules.ts'
import { AdminEntries } from './admin-entries.tsx'
import { AdminEntryRow } from './admin-entry-row.tsx'
import { useReorder } from './use-reorder.ts'
import { useToggleHidden } from './use-toggle-hidden.ts'

const AdminDeviceDialog = lazy(() =>
  import('./admin-device-dialog.tsx').then((module) => ({ default: module.AdminDeviceDialog })),
)

/** The Device Categories tab of the catalog, by position. */
export function AdminDevicesTab() {
  const client = useQueryClient()
  const list = useQuery(query(listAllDeviceCategories))
  const [managed, manage] = useOpenDialog<AdminDeviceCategory | null>('entries-add')
  const update = useSend(updateDeviceCategory, [listAllDeviceCategories, listDeviceCategories])
  const move = useSend(moveDeviceCategory, [listDeviceCategories])
  const hiding = useToggleHidden('Device category', (entry: AdminDeviceCategory) => {
    const { id, version, hidden, name, devices } = entry
    return {
      name,
      send: () =>
        update.mutateAsync({
          params: { categoryId: id },
          body: { version, name, devices, icon: deviceIconOf(entry.icon), hidden: !hidden },
        }),
    }
  })
  const moving = useReorder(async (id, direction) => {
    const now = await move.mutateAsync({ params: { categoryId: id }, body: { move: direction } })
    client.setQueryData(query(listAllDeviceCategories).queryKey, now)
    return now
  })

  return (
    <>
      <AdminEntries
        title="Device Categories"
        addLabel="Add Category"
        onAdd={(button) => manage(null, button)}
        hint="Visitors see them in this order. Move a category with the arrow buttons, or with Alt and an arrow key."
        empty="No device categories yet."
        result={list}
      >
        {(all) => (
          <ul className="entries">
            {all.map((category, index) => (
              <AdminEntryRow
                key={category.id}
                name={category.name}
                hidden={category.hidden}
                detail={category.devices.join(', ')}
                pending={hiding.pending === category.id}
                onEdit={(button) => manage(category, button)}
                onHide={() => void hiding.toggle(category)}
                position={{
                  id: `entry-${category.id}`,
                  isFirst: index === 0,
                  isLast: index === all.length - 1,
                  onMove: (direction) => moving(category.id, direction),
                }}
              />
            ))}
          </ul>
        )}
      </AdminEntries>
      <Suspense>
        {managed && (
          <AdminDeviceDialog key={managed.openCount} category={managed.subject} returnTo={managed.returnTo} />
        )}
      </Suspense>
    </>
  )
}
