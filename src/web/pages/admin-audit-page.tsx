import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { pagePart } from '../ui/hydration/page-part.ts'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const AdminAuditSection = pagePart(() => import('#features/audit/web/admin-audit-section.tsx'), 'AdminAuditSection')

/** /admin/audit: the audit log. */
export function AdminAuditPage() {
  return (
    <AdminFrame title="Audit Log">
      <Suspense fallback={<PageSpinner />}>
        <AdminAuditSection />
      </Suspense>
    </AdminFrame>
  )
}
