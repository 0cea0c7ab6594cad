import { LineDriftSection } from '#features/provisioning/web/line-drift-section.tsx'
import { LineJobsSection } from '#features/provisioning/web/line-jobs-section.tsx'
import { PanelStatusNote } from '#features/provisioning/web/panel-status-note.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/lines: the IPTV lines of customers on the operator's panel. */
export function AdminLinesPage() {
  return (
    <AdminFrame title="Lines">
      <PanelStatusNote />
      <LineJobsSection />
      <LineDriftSection />
    </AdminFrame>
  )
}
