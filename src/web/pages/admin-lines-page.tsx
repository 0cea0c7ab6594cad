import { AdminLinesPanel } from '#features/lines/web/admin-lines-panel.tsx'
import { LineDriftPanel } from '#features/lines/web/line-drift-panel.tsx'
import { LinePanelNote } from '#features/lines/web/line-panel-note.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/lines: the IPTV lines of customers on the operator's panel. */
export function AdminLinesPage() {
  return (
    <AdminFrame title="Lines">
      <LinePanelNote />
      <AdminLinesPanel />
      <LineDriftPanel />
    </AdminFrame>
  )
}
