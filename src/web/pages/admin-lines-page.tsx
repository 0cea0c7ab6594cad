import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { pagePart } from '../ui/hydration/page-part.ts'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const PanelStatusNote = pagePart(() => import('#features/provisioning/web/panel-status-note.tsx'), 'PanelStatusNote')
const LineJobsSection = pagePart(() => import('#features/provisioning/web/line-jobs-section.tsx'), 'LineJobsSection')
const LineDriftSection = pagePart(() => import('#features/provisioning/web/line-drift-section.tsx'), 'LineDriftSection')
const MoveRunsSection = pagePart(
  () => import('#features/provisioning/web/moves/move-runs-section.tsx'),
  'MoveRunsSection',
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
