import { AdminAuditPanel } from '#features/audit/web/admin-audit-panel.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/audit: the audit log. */
export function AdminAuditPage() {
  return (
    <AdminFrame title="Audit Log">
      <AdminAuditPanel />
    </AdminFrame>
  )
}
