import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const PanelStatusNote = lazyRouteComponent(
  () => import('#features/provisioning/web/panel-status-note.tsx'),
  'PanelStatusNote',
)
const LineJobsSection = lazyRouteComponent(
  () => import('#features/provisioning/web/line-jobs-section.tsx'),
  'LineJobsSection',
)
const LineDriftSection = lazyRouteComponent(
  () => import('#features/provisioning/web/line-drift-section.tsx'),
  'LineDriftSection',
)
const MoveRunsSection = lazyRouteComponent(
  () => import('#features/provisioning/web/moves/move-runs-section.tsx'),
  'MoveRunsSection',
)
// Server rendering is synchronous, so the components are loaded beforehand.
if (import.meta.env.SSR)
  await Promise.all(
    [PanelStatusNote, LineJobsSection, LineDriftSection, MoveRunsSection].map((section) => section.preload?.()),
  )

/** /admin/lines: the IPTV lines of customers on the operator's panel. */
export function AdminLinesPage() {
  return (
    <AdminFrame title="Lines">
      <Suspense fallback={<PageSpinner />}>
        <PanelStatusNote />
        <LineJobsSection />
        <LineDriftSection />
        <MoveRunsSection />
      </Suspense>
    </AdminFrame>
  )
}
