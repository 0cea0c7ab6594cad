import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { query, useSend } from '#web/data.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import {
  type AdminDeviceCategory,
  listAllDeviceCategories,
  listDeviceCategories,
  moveDeviceCategory,
  updateDeviceCategory,
} from '../contract.ts'
import { deviceIconOf } from '../rules.ts'
import { AdminEntries } from './admin-entries.tsx'
import { AdminEntryRow } from './admin-entry-row.tsx'
import { useHiding } from './use-hiding.ts'
import { useMoving } from './use-moving.ts'

const AdminDeviceDialog = lazy(() =>
  import('./admin-device-dialog.tsx').then((module) => ({ default: module.AdminDeviceDialog })),
)

/** The Device categories tab of the catalogue, in the operator's order. */
export function AdminDevicesPanel() {
  const client = useQueryClient()
  const list = useQuery(query(listAllDeviceCategories))
  const [managed, manage] = useOpened<AdminDeviceCategory | null>('entries-add')
  const update = useSend(updateDeviceCategory, [listAllDeviceCategories, listDeviceCategories])
  const move = useSend(moveDeviceCategory, [listDeviceCategories])
  const hiding = useHiding('Device category', (entry: AdminDeviceCategory) => {
    const { id, version, hidden, name, devices } = entry
    return {
      name: name,
      send: () =>
        update.mutateAsync({
          params: { categoryId: id },
          body: { version, name, devices, icon: deviceIconOf(entry.icon), hidden: !hidden },
        }),
    }
  })
  const moving = useMoving(async (id, way) => {
    const now = await move.mutateAsync({ params: { categoryId: id }, body: { move: way } })
    client.setQueryData(query(listAllDeviceCategories).queryKey, now)
    return now
  })

  return (
    <>
      <AdminEntries
        title="Device Categories"
        addLabel="Add Category"
        onAdd={(button) => manage(null, button)}
        hint="Visitors see them in this order. The arrows move a category, and so does Alt with an arrow key."
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
                place={{
                  id: `entry-${category.id}`,
                  isFirst: index === 0,
                  isLast: index === all.length - 1,
                  onMove: (way) => moving(category.id, way),
                }}
              />
            ))}
          </ul>
        )}
      </AdminEntries>
      <Suspense>
        {managed && <AdminDeviceDialog key={managed.turn} category={managed.about} returnTo={managed.returnTo} />}
      </Suspense>
    </>
  )
}
