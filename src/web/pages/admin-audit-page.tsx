import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSpinner } from '../shell/page-spinner.tsx'
import { AdminFrame } from './admin/admin-frame.tsx'

// Loaded lazily: otherwise the entry script, which every visitor loads, would contain the list of files that this page needs.
const AdminAuditSection = lazyRouteComponent(
  () => import('#features/audit/web/admin-audit-section.tsx'),
  'AdminAuditSection',
)
// Server rendering is synchronous, so the component is loaded beforehand.
if (import.meta.env.SSR) await AdminAuditSection.preload?.()

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
