import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { AdminPlan } from '#features/catalog/admin-contract.ts'
import { listPanels, type PanelRow } from '#features/provisioning/admin-panels-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { panelTypeOptions } from './panel-types.ts'

const PanelDialog = lazy(() => import('./panel-dialog.tsx').then((module) => ({ default: module.PanelDialog })))

const linesOf = (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en-US')} lines`)

/** Describes which new lines a panel gets. */
function newLinesText({ acceptsLines, isDefault, lineLimit, planIds }: PanelRow, plans: AdminPlan[]): string {
  if (!acceptsLines) return 'Closed for new lines'
  const names = plans.filter(({ id }) => planIds.includes(id)).map(({ name }) => name)
  const limit = lineLimit === null ? '' : `until it has ${linesOf(lineLimit)}`
  const what = names.length > 0 ? `New lines of ${names.join(', ')}` : limit ? 'New lines' : ''
  const rule = [what, limit].filter(Boolean).join(' ')
  if (isDefault) return rule ? `${rule}, and all that no rule assigns` : 'New lines that no rule assigns'
  return rule || 'No new lines: choose plans or a limit'
}

/** The operator's panels, and the rules for which panel gets a new line. */
export function PanelsCard({ plans }: { plans: AdminPlan[] }) {
  const list = useQuery(query(listPanels))
  const mayEdit = useMay()('settings.edit')
  const [opened, open] = useOpenDialog<number | null>('panels')
  const { data, error } = list
  const edited = opened ? data?.find(({ id }) => id === opened.subject) : undefined
  return (
    <Card
      title="Panels"
      titleId="panels"
      aside={
        mayEdit && (
          <Button variant="ink" size="sm" onClick={({ currentTarget }) => open(null, currentTarget)}>
            <Plus size={16} /> Add Panel
          </Button>
        )
      }
    >
      <div className="grid gap-5">
        <p className="text-fg-2">
          A new line is created on the panel of its plan, otherwise on a panel with a limit that is not reached,
          otherwise on the default panel. It stays there. The connection of the main panel is in the form above.
        </p>
        {error && !data && (
          <ErrorState
            title="Error loading data"
            message={messageOf(error)}
            pending={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        )}
        {!data && !error && (
          <div role="status">
            <span className="sr-only">Loading…</span>
            <Skeleton className="h-24" />
          </div>
        )}
        {data && (
          <ul className="grid gap-4" aria-label="Panels">
            {data.map((panel) => (
              <li key={panel.id} className="flex flex-wrap items-center justify-between gap-3">
                <div className="min-w-0">
                  <b className="wrap-anywhere">{panel.name}</b>
                  <p className="wrap-anywhere text-fg-2 text-sm">
                    {panelTypeOptions.find(({ kind }) => kind === panel.kind)!.name}
                    {panel.address && `, ${new URL(panel.address).host}`}, {linesOf(panel.lines)}
                  </p>
                  <p className="wrap-anywhere text-sm">{newLinesText(panel, plans)}</p>
                </div>
                {mayEdit && (
                  <Button variant="soft" size="sm" onClick={({ currentTarget }) => open(panel.id, currentTarget)}>
                    Edit<span className="sr-only"> {panel.name}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Suspense>
        {opened && (opened.subject === null || edited) && (
          <PanelDialog key={opened.openCount} panel={edited ?? null} plans={plans} returnTo={opened.returnTo} />
        )}
      </Suspense>
    </Card>
  )
}
