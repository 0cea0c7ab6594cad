import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { AdminReportsSection } from '#features/reports/web/admin-reports-section.tsx'

const AdminIncidentsSection = lazyRouteComponent(
  () => import('#features/incidents/web/admin-incidents-section.tsx'),
  'AdminIncidentsSection',
)
// Server rendering is synchronous, so the component is loaded beforehand.
if (import.meta.env.SSR) await AdminIncidentsSection.preload?.()

/** The Reports tab of the Admin Panel: what the status page shows, and the reports. */
export function ReportsPanel() {
  return (
    <>
      <Suspense>
        <AdminIncidentsSection />
      </Suspense>
      <AdminReportsSection />
    </>
  )
}
