import { AdminAuditSection } from '#features/audit/web/admin-audit-section.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

/** /admin/audit: who did what. */
export function AdminAuditPage() {
  return (
    <AdminFrame title="Audit Log">
      <AdminAuditSection />
    </AdminFrame>
  )
}
