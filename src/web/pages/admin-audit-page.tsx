import { AdminAuditSection } from '#features/audit/web/admin-audit-section.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/audit: the audit log. */
export function AdminAuditPage() {
  return (
    <AdminFrame title="Audit Log">
      <AdminAuditSection />
    </AdminFrame>
  )
}
