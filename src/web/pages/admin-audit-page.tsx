import { AdminAuditPanel } from '#features/audit/web/admin-audit-panel.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/audit: who did what. */
export function AdminAuditPage() {
  return (
    <AdminFrame title="Audit Log">
      <AdminAuditPanel />
    </AdminFrame>
  )
}
