import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { query, useSend } from '#web/data.ts'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import {
  type AdminSetupGuide,
  listAllSetupGuides,
  moveSetupGuide,
  updateSetupGuide,
} from '../../admin-guides-contract.ts'
import { listSetupGuides } from '../../contract.ts'
import { setupDeviceOf, setupTabs } from '../../setup-rules.ts'
import { AdminEntries } from './admin-entries.tsx'
import { AdminEntryRow } from './admin-entry-row.tsx'
import { useReorder } from './use-reorder.ts'
import { useToggleHidden } from './use-toggle-hidden.ts'

const AdminGuideDialog = lazy(() =>
  import('./admin-guide-dialog.tsx').then((module) => ({ default: module.AdminGuideDialog })),
)
const tabNameOf = ({ tab }: AdminSetupGuide) => setupTabs.find(({ value }) => value === tab)!.label

/** The Setup Guides tab of the catalog, by position. */
export function AdminGuidesTab() {
  const client = useQueryClient()
  const list = useQuery(query(listAllSetupGuides))
  const [managed, manage] = useOpenDialog<AdminSetupGuide>()
  const update = useSend(updateSetupGuide, [listAllSetupGuides, listSetupGuides])
  const move = useSend(moveSetupGuide, [listSetupGuides])
  const hiding = useToggleHidden('Setup guide', (guide: AdminSetupGuide) => {
    const { id, device, ...body } = guide
    return {
      name: setupDeviceOf(device).name,
      send: () => update.mutateAsync({ params: { guideId: id }, body: { ...body, hidden: !guide.hidden } }),
    }
  })
  const moving = useReorder(async (id, direction) => {
    const now = await move.mutateAsync({ params: { guideId: id }, body: { move: direction } })
    client.setQueryData(query(listAllSetupGuides).queryKey, now)
    return now
  })

  return (
    <>
      <AdminEntries
        title="Setup Guides"
        hint="Each tab of the setup page shows its devices in this order. Edit a guide to move it to another tab. A tab without a shown guide says “coming soon”. Move a guide with the arrow buttons, or with Alt and an arrow key."
        empty="No setup guides yet."
        result={list}
      >
        {(all) => (
          <ul className="entries">
            {all.map((guide, index) => (
              <AdminEntryRow
                key={guide.id}
                name={setupDeviceOf(guide.device).name}
                hidden={guide.hidden}
                detail={`Tab ${tabNameOf(guide)}, ${guide.steps.length === 1 ? '1 step' : `${guide.steps.length} steps`}`}
                pending={hiding.pending === guide.id}
                onEdit={(button) => manage(guide, button)}
                onHide={() => void hiding.toggle(guide)}
                position={{
                  id: `entry-${guide.id}`,
                  isFirst: index === 0,
                  isLast: index === all.length - 1,
                  onMove: (direction) => moving(guide.id, direction),
                }}
              />
            ))}
          </ul>
        )}
      </AdminEntries>
      <Suspense>
        {managed && <AdminGuideDialog key={managed.openCount} guide={managed.subject} returnTo={managed.returnTo} />}
      </Suspense>
    </>
  )
}
